import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Raw, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { codeLifeMs, idleMs, lifeMs } from './limits.js'
import { Session, SignInCode } from './session.entity.js'

// The clock of the database decides, because those of processes may differ.
const within = (ageMs: number) => Raw((column) => `${column} > now() - interval '${ageMs} ms'`)
const beyond = (ageMs: number) => Raw((column) => `${column} <= now() - interval '${ageMs} ms'`)

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** Null also for a session that has expired. */
  findByHash(hash: Buffer): Promise<Session | null> {
    return this.sessions.findOneBy({ hash, createdAt: within(lifeMs), lastUsedAt: within(idleMs) })
  }

  async insert(tx: EntityManager, session: Session): Promise<void> {
    await tx.insert(Session, session)
  }

  /** Resolves with the ids of the ended sessions. Other processes accept these until they are told. */
  async end(tx: EntityManager, by: { id: string } | { tokenId: string }): Promise<string[]> {
    const deleted = await tx.createQueryBuilder().delete().from(Session).where(by).returning('id').execute()
    return (deleted.raw as { id: string }[]).map(({ id }) => id)
  }

  /** In SQL, because one statement moves many times forward, and none back, whatever other processes write. */
  async recordUse(sessions: readonly Session[]): Promise<void> {
    await this.sessions.query(
      `WITH used AS (
         SELECT dashboard_sessions.id, batch.at
         FROM unnest($1::uuid[], $2::timestamptz[]) AS batch (id, at) JOIN dashboard_sessions USING (id)
         ORDER BY id FOR UPDATE OF dashboard_sessions
       )
       UPDATE dashboard_sessions SET last_used_at = used.at FROM used
       WHERE dashboard_sessions.id = used.id AND last_used_at < used.at`,
      [sessions.map(({ id }) => id), sessions.map(({ lastUsedAt }) => lastUsedAt)],
    )
  }

  async insertCode(hash: Buffer, tokenId: string): Promise<void> {
    const expiresAt = () => `now() + interval '${codeLifeMs} ms'`
    await this.sessions.manager.insert(SignInCode, { hash, tokenId, expiresAt })
  }

  /** Resolves with the token of a code. The code is deleted, so only one of several uses at once succeeds. */
  async useCode(tx: EntityManager, hash: Buffer): Promise<string | null> {
    const deleted = await tx
      .createQueryBuilder()
      .delete()
      .from(SignInCode)
      .where({ hash, expiresAt: within(0) })
      .returning('token_id')
      .execute()
    return (deleted.raw as { token_id: string }[])[0]?.token_id ?? null
  }

  async deleteOld(tx: EntityManager): Promise<void> {
    await tx.delete(Session, { createdAt: beyond(lifeMs) })
    await tx.delete(Session, { lastUsedAt: beyond(idleMs) })
    await tx.delete(SignInCode, { expiresAt: beyond(0) })
  }
}
