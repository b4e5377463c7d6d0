import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, IsNull, Not, Raw, Repository } from 'typeorm'
import type { EntityManager, FindOptionsWhere } from 'typeorm'

import type { PortalAction } from '../auth/portal-access.js'
import type { SecretHashes, StoredHash } from './secrets.js'
import { codeLifeMs, Session, sessionIdleMs, sessionLifeMs, SignInCode } from './session.entity.js'

// Conditions for the clock of the database, because the clocks of processes may differ.
const isWithinLast = (ms: number) => Raw((column) => `${column} > now() - interval '${ms} ms'`)
const isOlderThan = (ms: number) => Raw((column) => `${column} <= now() - interval '${ms} ms'`)
const isInFuture = () => Raw((column) => `${column} > now()`)
const isInPast = () => Raw((column) => `${column} <= now()`)

export type PortalCode = SignInCode & { webhookId: string; actions: PortalAction[] }

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** Returns null if the session does not exist or has expired. */
  findByHashes(hashes: Buffer[]): Promise<Session | null> {
    const kept = {
      hash: In(hashes),
      createdAt: isWithinLast(sessionLifeMs),
      lastUsedAt: isWithinLast(sessionIdleMs),
    }
    return this.sessions.findOneBy([
      { ...kept, endsAt: IsNull() },
      { ...kept, endsAt: isInFuture() },
    ])
  }

  /** Counts the sessions that have not expired, of the dashboard and of the webhook portal. */
  countSessions(): Promise<number> {
    const kept = { createdAt: isWithinLast(sessionLifeMs), lastUsedAt: isWithinLast(sessionIdleMs) }
    return this.sessions.countBy([
      { ...kept, endsAt: IsNull() },
      { ...kept, endsAt: isInFuture() },
    ])
  }

  /** Does nothing if another process has replaced the hash. */
  async replaceHash(hashes: SecretHashes, { id, hash }: Session, replacement: StoredHash): Promise<void> {
    if (await hashes.isReplacing(this.sessions)) await this.sessions.update({ id, hash }, replacement)
  }

  async insertSession(tx: EntityManager, session: Session): Promise<void> {
    await tx.insert(Session, session)
  }

  /** Deletes sessions and returns their IDs. Other processes accept the sessions until they are notified. */
  async deleteSessions(tx: EntityManager, where: { id: string } | { tokenId: string }): Promise<string[]> {
    const deleted = await tx
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where(where)
      .returning('id')
      .execute()
    return (deleted.raw as { id: string }[]).map(({ id }) => id)
  }

  /** Updates `last_used_at` of many sessions. Never sets an earlier time than another process has written. */
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

  async insertCode(stored: StoredHash, tokenId: string): Promise<void> {
    const expiresAt = () => `now() + interval '${codeLifeMs} ms'`
    await this.sessions.manager.insert(SignInCode, { ...stored, tokenId, expiresAt })
  }

  async insertPortalCode(tx: EntityManager, code: SignInCode): Promise<void> {
    await tx.insert(SignInCode, code)
  }

  /** Deletes a code of the dashboard and returns the ID of its token. */
  async useCode(tx: EntityManager, hashes: Buffer[]): Promise<string | null> {
    return (await deleteCode(tx, { hash: In(hashes), webhookId: IsNull() }))?.tokenId ?? null
  }

  /** Deletes and returns a code of the portal. */
  usePortalCode(tx: EntityManager, hashes: Buffer[]): Promise<PortalCode | null> {
    return deleteCode(tx, { hash: In(hashes), webhookId: Not(IsNull()) }) as Promise<PortalCode | null>
  }

  async deleteExpired(tx: EntityManager): Promise<void> {
    await tx.delete(Session, { createdAt: isOlderThan(sessionLifeMs) })
    await tx.delete(Session, { lastUsedAt: isOlderThan(sessionIdleMs) })
    await tx.delete(Session, { endsAt: isInPast() })
    await tx.delete(SignInCode, { expiresAt: isInPast() })
  }
}

/** If a code is used concurrently, only one use succeeds. */
async function deleteCode(
  tx: EntityManager,
  where: FindOptionsWhere<SignInCode>,
): Promise<SignInCode | null> {
  const code = await tx.findOne(SignInCode, {
    where: { ...where, expiresAt: isInFuture() },
    lock: { mode: 'pessimistic_write' },
  })
  if (code) await tx.delete(SignInCode, { hash: code.hash })
  return code
}
