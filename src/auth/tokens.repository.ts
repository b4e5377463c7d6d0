/** Reads and writes tokens. Every change is recorded in the audit log. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, IsNull, Repository } from 'typeorm'
import type { EntityManager, SelectQueryBuilder } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import type { AuditDetails } from '../audit/audit-entry.entity.js'
import type { Actor } from '../audit/audit.service.js'
import { encodeId } from '../platform/database/ids.js'
import { selectNewest } from '../platform/database/statements.js'
import { BatchedCalls } from '../platform/util/batched-calls.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import type { Caller } from './caller.js'
import type { Restrictions } from './restrictions.js'
import { TokenEvents } from './token-events.js'
import { expiryDaysPassed } from './token-expiry.js'
import { TokenHashes } from './token-hashes.js'
import { Token } from './token.entity.js'
import type { CountedToken } from './token.entity.js'

export const tokenQuota: CountedQuota = {
  setting: 'WORKSPACE_TOKENS',
  describe: (limit) => `${limit} active tokens`,
  remedy: 'Revoke one that you no longer need',
  // Two range scans of the index tokens_active, which skip expired tokens.
  count: `
    SELECT (SELECT count(*) FROM tokens WHERE workspace_id = $1 AND revoked_at IS NULL AND expires_at IS NULL)
      + (SELECT count(*) FROM tokens WHERE workspace_id = $1 AND revoked_at IS NULL AND expires_at > now())`,
}

@Injectable()
export class TokensRepository {
  private readonly logger = new Logger(TokensRepository.name)
  /** Bounds lookups of invented tokens: two concurrent queries leave connections for other requests. */
  private readonly lookups = new BatchedCalls<readonly Buffer[], Token | null>(
    { maxItems: 100, concurrency: 2 },
    (hashes) => this.findByHashes(hashes),
  )

  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly audit: AuditService,
    private readonly events: TokenEvents,
    private readonly hashes: TokenHashes,
  ) {}

  async insertToken(tx: EntityManager, actor: Actor, token: Token): Promise<void> {
    const { id, name, scopes, restrictions } = token
    await tx.insert(Token, token)
    await this.audit.record(
      tx,
      actor,
      'token.created',
      { type: 'token', id },
      { name, scopes, ...listRestrictions(restrictions) },
    )
    await this.events.recordCreation(tx, token)
  }

  /** Inserts the successor of a locked token. The old token expires at `endsAt`, or at its own expiry if earlier. */
  async replaceToken(
    tx: EntityManager,
    actor: Actor,
    old: Token,
    successor: Token,
    endsAt: Date,
  ): Promise<void> {
    const { id } = old
    if (!old.expiresAt || endsAt < old.expiresAt)
      await tx.update(Token, { id }, { expiresAt: endsAt, expiryReportedDays: expiryDaysPassed(endsAt) })
    await tx.insert(Token, successor)
    await this.audit.recordAndAnnounce(tx, actor, 'token.rotated', 'token', [id], {
      successor: encodeId('tok', successor.id),
    })
    await this.events.recordCreation(tx, successor)
  }

  /** Records that the calling token tried to grant more than it has. */
  async recordEscalation(caller: Caller, excess: string): Promise<void> {
    const object = { type: 'token', id: caller.tokenId } as const
    await this.audit.recordWithoutTransaction(caller, 'token.refused', object, {
      excess,
      ...caller.operation(),
    })
  }

  async findByValue(value: string): Promise<Token | null> {
    const token = await this.lookups.call(this.hashes.listPossible(value))
    if (token) await this.replaceOldHash(value, token)
    return token
  }

  /** Stores the new hash after TOKEN_PEPPER was changed. A failure must not reject the token. */
  private async replaceOldHash(value: string, token: Token): Promise<void> {
    try {
      const replacement = await this.hashes.createReplacement(this.tokens, value, token)
      const { id, hash } = token
      if (replacement) await this.tokens.update({ id, hash }, replacement)
    } catch (error) {
      this.logger.warn(`A token could not be rehashed: ${(error as Error).message}`)
    }
  }

  private async findByHashes(
    wanted: (readonly Buffer[])[],
  ): Promise<(hashes: readonly Buffer[]) => Token | null> {
    const found = await this.tokens.findBy({ hash: In(wanted.flat()) })
    return (hashes) => found.find((token) => hashes.some((hash) => hash.equals(token.hash))) ?? null
  }

  async findToken(caller: Caller, id: string): Promise<CountedToken | null> {
    const { workspaceId } = caller
    if (!(await this.canAccess(caller, id))) return null
    const [found] = await runCounted(
      this.selectCounted().where('token.id = :id AND token.workspaceId = :workspaceId', { id, workspaceId }),
    )
    return found ?? null
  }

  /**
   * Whether the caller may read a token. A caller that is restricted to tags can read only its own token, the tokens
   * that it replaced, and the tokens that these created.
   */
  async canAccess({ tokenId, tags }: Pick<Caller, 'tokenId' | 'tags'>, id: string): Promise<boolean> {
    return tags === null || id === tokenId || (await this.findFamily(tokenId)).includes(id)
  }

  private async findFamily(id: string): Promise<string[]> {
    const rows: { id: string }[] = await this.tokens.query(
      `WITH RECURSIVE replaced AS (
         SELECT id, rotated_from FROM tokens WHERE id = $1
         UNION SELECT tokens.id, tokens.rotated_from FROM tokens JOIN replaced ON tokens.id = replaced.rotated_from
       ), family AS (
         SELECT id FROM replaced
         UNION SELECT child.id FROM tokens child JOIN family ON child.created_by = family.id
       )
       SELECT id FROM family`,
      [id],
    )
    return rows.map((row) => row.id)
  }

  hasTokens(tx?: EntityManager): Promise<boolean> {
    return (tx ?? this.tokens.manager).exists(Token)
  }

  findById(id: string): Promise<Token | null> {
    return this.tokens.findOneBy({ id })
  }

  findForUpdate(tx: EntityManager, workspaceId: string, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id, workspaceId }, lock: { mode: 'pessimistic_write' } })
  }

  /** Locks rows in the order of their IDs, so that two transactions cannot deadlock. */
  async lockTokens(tx: EntityManager, ...ids: string[]): Promise<Map<string, Token>> {
    const tokens = await tx.find(Token, {
      where: { id: In(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    })
    return new Map(tokens.map((token) => [token.id, token]))
  }

  /**
   * Prevents the revocation of a token until the transaction ends. A revocation of its family is then either visible
   * here, or finds the tokens that this transaction creates.
   */
  findForShare(tx: EntityManager, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id }, lock: { mode: 'pessimistic_read' } })
  }

  /** Lists active tokens, newest first. A limit of null lists all of them. */
  async listActive(
    { workspaceId, tokenId, tags }: Pick<Caller, 'workspaceId' | 'tags'> & { tokenId: string | null },
    before: string | null,
    limit: number | null,
  ): Promise<CountedToken[]> {
    const active = selectNewest(this.selectCounted(), workspaceId, { before })
      .andWhere('token.revokedAt IS NULL AND (token.expiresAt IS NULL OR token.expiresAt > now())')
      .limit(limit ?? undefined)
    if (tags !== null && tokenId !== null)
      active.andWhere('token.id = ANY(:family)', { family: await this.findFamily(tokenId) })
    return runCounted(active)
  }

  async revokeToken(tx: EntityManager, actor: Actor, id: string, now: Date): Promise<string[]> {
    const { affected } = await tx.update(Token, { id, revokedAt: IsNull() }, { revokedAt: now })
    if (!affected) return []
    await this.audit.recordAndAnnounce(tx, actor, 'token.revoked', 'token', [id])
    await this.events.recordRevocations(tx, actor, [id])
    return [id]
  }

  /**
   * Revokes a token and all its descendants. A transaction that creates a token locks its parent until the commit, so
   * the next pass finds the new token. A pass that finds nothing proves that none is left.
   *
   * Expired descendants are skipped, because there can be many. The last minute is included: a running rotation may have
   * ended the lifetime of a token whose successor is not visible yet.
   */
  async revokeFamily(tx: EntityManager, actor: Actor, id: string, now: Date): Promise<string[]> {
    const allIds: string[] = []
    for (;;) {
      const [revoked]: [{ id: string }[], number] = await tx.query(
        `WITH RECURSIVE family AS (
           SELECT id FROM tokens WHERE id = $1
           UNION SELECT child.id FROM tokens child JOIN family ON child.created_by = family.id
         ), locked AS (
           SELECT id FROM tokens
           WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL
             AND (id = $1 OR expires_at IS NULL OR expires_at > now() - interval '1 min')
           ORDER BY id FOR UPDATE
         )
         UPDATE tokens SET revoked_at = $2 FROM locked WHERE tokens.id = locked.id RETURNING tokens.id`,
        [id, now],
      )
      if (revoked.length === 0) return allIds
      const ids = revoked.map((each) => each.id)
      await this.audit.recordAndAnnounce(tx, actor, 'token.revoked', 'token', ids)
      await this.events.recordRevocations(tx, actor, ids)
      allIds.push(...ids)
    }
  }

  /**
   * Writes the last use and the used scopes of cached tokens. Times only move forward and scopes are only added, so
   * writes of other processes are kept. Scopes are passed as text, because `unnest` flattens an array of arrays.
   */
  async recordUse(used: readonly Token[]): Promise<void> {
    await this.tokens.query(
      `WITH used AS (
         SELECT tokens.id, batch.at, string_to_array(batch.scopes, ' ') AS scopes
         FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS batch (id, at, scopes) JOIN tokens USING (id)
         ORDER BY tokens.id FOR NO KEY UPDATE OF tokens
       )
       UPDATE tokens SET last_used_at = GREATEST(tokens.last_used_at, used.at),
         used_scopes = ARRAY(SELECT DISTINCT unnest(tokens.used_scopes || used.scopes))
       FROM used
       WHERE tokens.id = used.id
         AND (tokens.last_used_at IS NULL OR tokens.last_used_at < used.at OR NOT tokens.used_scopes @> used.scopes)`,
      [
        used.map(({ id }) => id),
        used.map(({ lastUsedAt }) => lastUsedAt),
        used.map(({ usedScopes }) => usedScopes.join(' ')),
      ],
    )
  }

  /** With `=` instead of BETWEEN, the planner scans the table for every row if one token created most others. */
  private selectCounted(): SelectQueryBuilder<Token> {
    return this.tokens
      .createQueryBuilder('token')
      .addSelect(
        (minted) =>
          minted
            .select('count(*)::int')
            .from(Token, 'child')
            .where('child.createdBy BETWEEN token.id AND token.id AND child.revokedAt IS NULL')
            .andWhere('(child.expiresAt IS NULL OR child.expiresAt > now())'),
        'minted',
      )
  }
}

/** Returns the restrictions that are set. */
function listRestrictions(restrictions: Restrictions | null): AuditDetails {
  return Object.fromEntries(
    Object.entries(restrictions ?? {}).filter(([, value]) => value !== null) as [string, string | string[]][],
  )
}

async function runCounted(query: SelectQueryBuilder<Token>): Promise<CountedToken[]> {
  const { entities, raw } = await query.getRawAndEntities<{ minted: number }>()
  return entities.map((token, at) => Object.assign(token, { minted: raw[at]!.minted }))
}
