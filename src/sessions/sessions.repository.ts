import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { columnsOf, run } from '../platform/database/statements.js'
import { codeLifeMs, idleMs, lifeMs } from './limits.js'
import { Session, SignInCode } from './session.entity.js'

const isAlive = `created_at > now() - interval '${lifeMs} ms' AND last_used_at > now() - interval '${idleMs} ms'`

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** Null also for a session that has expired. */
  async findByHash(hash: Buffer): Promise<Session | null> {
    const columns = columnsOf(this.sessions.metadata, 'session')
    const text = `SELECT ${columns} FROM dashboard_sessions session WHERE hash = $1 AND ${isAlive}`
    const [found] = await run<Session & object>(
      this.sessions.manager,
      { name: 'find-session-by-hash', text },
      [hash],
    )
    return found ?? null
  }

  async insert(tx: EntityManager, session: Session): Promise<void> {
    await tx.insert(Session, session)
  }

  /** Resolves with the ids of the ended sessions. Other processes accept these until they are told. */
  async end(tx: EntityManager, by: { id: string } | { tokenId: string }): Promise<string[]> {
    const [column, value] = 'id' in by ? ['id', by.id] : ['token_id', by.tokenId]
    const [rows]: [{ id: string }[], number] = await tx.query(
      `DELETE FROM dashboard_sessions WHERE ${column} = $1 RETURNING id`,
      [value],
    )
    return rows.map(({ id }) => id)
  }

  /** Times of use only move forward, whatever other processes write. */
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
    await this.sessions.query(
      `INSERT INTO dashboard_codes (hash, token_id, expires_at) VALUES ($1, $2, now() + interval '${codeLifeMs} ms')`,
      [hash, tokenId],
    )
  }

  /** Resolves with the token of a code. The code is deleted, so only one of several uses at once succeeds. */
  async useCode(tx: EntityManager, hash: Buffer): Promise<string | null> {
    const [rows]: [Pick<SignInCode, 'tokenId'>[], number] = await tx.query(
      `DELETE FROM dashboard_codes WHERE hash = $1 AND expires_at > now() RETURNING token_id AS "tokenId"`,
      [hash],
    )
    return rows[0]?.tokenId ?? null
  }

  async deleteOld(tx: EntityManager): Promise<void> {
    await tx.query(`DELETE FROM dashboard_sessions WHERE NOT (${isAlive})`)
    await tx.query('DELETE FROM dashboard_codes WHERE expires_at <= now()')
  }
}
