import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { auditParameter, auditPart } from '../audit/audit.service.js'
import type { Actor, AuditedChange } from '../audit/audit.service.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { columnsOf, Conditions, listStatement, run, runPipelined } from '../platform/database/statements.js'
import { encodeId } from '../platform/database/ids.js'
import { BatchedCalls } from '../platform/util/batching.js'
import { quotaLock } from '../workspaces/quotas.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import type { Reach } from './token-minter.js'
import { Token } from './token.entity.js'

/** A token with the number of active tokens that it has minted. */
export type CountedToken = Token & { minted: number }

interface InsertResult {
  result: 'inserted' | 'full' | 'minter_changed'
}

const newColumns = `id, workspace_id, name, scopes, hash, prefix, last4, created_by, rotated_from, created_at, expires_at,
  scopes_watched_since`
const newValues = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12'

/** Two ranges of the index tokens_active, which leave out the expired tokens. */
const countActive = (workspace: string) => `
  (SELECT count(*) FROM tokens WHERE workspace_id = ${workspace} AND revoked_at IS NULL AND expires_at IS NULL)
  + (SELECT count(*) FROM tokens WHERE workspace_id = ${workspace} AND revoked_at IS NULL AND expires_at > now())`

export const tokenQuota: CountedQuota = {
  setting: 'WORKSPACE_TOKENS',
  describe: (limit) => `${limit} active tokens`,
  remedy: 'Revoke one that you no longer need',
  count: `SELECT ${countActive('$1')}`,
}

/**
 * Mints a token only if its minter is not revoked and still has the expected end. For the operator the minter is null.
 * FOR SHARE holds the minter until the commit: a revocation of its family is either seen here, or finds the new token.
 */
const insertToken = {
  name: 'insert-token',
  text: `
    WITH minter AS MATERIALIZED (
      SELECT id FROM tokens
      WHERE id = $8 AND revoked_at IS NULL AND expires_at IS NOT DISTINCT FROM $13::timestamptz FOR SHARE
    ), quota AS MATERIALIZED (
      SELECT $15::int IS NOT NULL AND ${countActive('$2')} >= $15 AS is_full
    ), change AS (
      INSERT INTO tokens (${newColumns}) SELECT ${newValues} FROM quota
      WHERE ($8::uuid IS NULL OR EXISTS (SELECT FROM minter)) AND NOT is_full
      RETURNING id
    ), ${auditPart(14)}
    SELECT CASE WHEN EXISTS (SELECT FROM change) THEN 'inserted' WHEN is_full THEN 'full' ELSE 'minter_changed' END AS result
    FROM quota`,
}

/** The old token ends at the given time, or at its own end if that is sooner. */
const replaceToken = {
  name: 'replace-token',
  text: `
    WITH change AS (
      UPDATE tokens SET expires_at = LEAST(expires_at, $13) WHERE id = $9 RETURNING id
    ), successor AS (
      INSERT INTO tokens (${newColumns}) SELECT ${newValues} FROM change
    ), ${auditPart(14)}
    ${ChangeFeed.announcement('token', 'id')} FROM change`,
}

const revokeToken = {
  name: 'revoke-token',
  text: `
    WITH change AS (
      UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id
    ), ${auditPart(3)}
    SELECT id, (${ChangeFeed.announcement('token', 'id')}) AS announced FROM change`,
}

const revokeFamily = {
  name: 'revoke-family',
  text: `
    WITH RECURSIVE family AS (
      SELECT id FROM tokens WHERE id = $1
      UNION SELECT child.id FROM tokens child JOIN family ON child.created_by = family.id
    ), locked AS (
      SELECT id FROM tokens WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL ORDER BY id FOR UPDATE
    ), revoked AS (
      UPDATE tokens SET revoked_at = $2 FROM locked WHERE tokens.id = locked.id RETURNING tokens.id
    ), change AS (
      SELECT unnest($3::uuid[]) AS id
    ), ${auditPart(4)}
    SELECT ARRAY(SELECT id FROM revoked) AS ids,
      (SELECT count(*) FROM (${ChangeFeed.announcement('token', 'id')} FROM change) AS each) AS announced`,
}

@Injectable()
export class TokensRepository {
  private columnsText: string | null = null
  /** Anyone can make up tokens, and each has to be looked up. Two queries at once leave connections for others. */
  private readonly lookUps = new BatchedCalls<Buffer, Token | null>({ most: 100, atOnce: 2 }, (hashes) =>
    this.findByHashes(hashes),
  )

  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  /**
   * Inserts nothing when the workspace has `most` active tokens, or when the minter is revoked or no longer has the
   * expected end. The lock of the quota and the statement that counts take one round trip.
   */
  async insert(
    actor: Actor,
    token: Token,
    minter: Reach | null,
    most: number | null,
    tx?: EntityManager,
  ): Promise<InsertResult['result']> {
    const { id, name, scopes } = token
    const audited = auditParameter(actor, [
      { action: 'token.created', object: { type: 'token', id }, details: { name, scopes } },
    ])
    const values = [...newValuesOf(token), minter?.expiresAt ?? null, audited, most]
    const lock = quotaLock(tokenQuota, token.workspaceId)
    if (most !== null && !tx) {
      const [, inserted] = await runPipelined(this.tokens.manager.dataSource, lock, {
        ...insertToken,
        values,
      })
      return (inserted!.rows as InsertResult[])[0]!.result
    }
    if (most !== null) await tx!.query(lock.text, lock.values)
    const [row] = await run<InsertResult & object>(tx ?? this.tokens.manager, insertToken, values)
    return row!.result
  }

  /** Inserts a successor, and ends the old token at the given time. Lock the old and the calling token before. */
  async replace(tx: EntityManager, actor: Actor, successor: Token, endsAt: Date): Promise<void> {
    const audited = auditParameter(actor, [
      {
        action: 'token.rotated',
        object: { type: 'token', id: successor.rotatedFrom! },
        details: { successor: encodeId('tok', successor.id) },
      },
    ])
    await run(tx, replaceToken, [...newValuesOf(successor), endsAt, audited])
  }

  findByHash(hash: Buffer): Promise<Token | null> {
    return this.lookUps.ask(hash)
  }

  private async findByHashes(hashes: Buffer[]): Promise<(hash: Buffer) => Token | null> {
    const text = `SELECT ${this.columns} FROM tokens token WHERE hash = ANY($1)`
    const found = await run<Token & object>(this.tokens.manager, { name: 'find-tokens-by-hash', text }, [
      hashes,
    ])
    const byHash = new Map(found.map((token) => [token.hash.toString('base64'), token]))
    return (hash) => byHash.get(hash.toString('base64')) ?? null
  }

  async find(workspaceId: string, id: string): Promise<CountedToken | null> {
    const text = `${this.selectCounted} WHERE id = $1 AND workspace_id = $2`
    const [found] = await run<CountedToken & object>(this.tokens.manager, { name: 'find-token', text }, [
      id,
      workspaceId,
    ])
    return found ?? null
  }

  exist(tx?: EntityManager): Promise<boolean> {
    return (tx ?? this.tokens.manager).exists(Token)
  }

  findAnywhere(id: string, tx?: EntityManager): Promise<Token | null> {
    return (tx ?? this.tokens.manager).findOneBy(Token, { id })
  }

  findForUpdate(tx: EntityManager, workspaceId: string, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id, workspaceId }, lock: { mode: 'pessimistic_write' } })
  }

  /** Locks several rows in the order of their ids. Otherwise two transactions could wait for each other. */
  async lock(tx: EntityManager, ...ids: string[]): Promise<Map<string, Token>> {
    const text = `SELECT ${this.columns} FROM tokens token WHERE id = ANY($1) ORDER BY id FOR UPDATE`
    const rows = await run<Token & object>(tx, { name: 'lock-tokens', text }, [ids])
    return new Map(rows.map((token) => [token.id, token]))
  }

  /** Keeps a token from being revoked until the transaction has ended. */
  findForShare(tx: EntityManager, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id }, lock: { mode: 'pessimistic_read' } })
  }

  /** Active tokens, newest first. A limit of null lists all of them. */
  listActive(workspaceId: string, before: string | null, limit: number | null): Promise<CountedToken[]> {
    const where = new Conditions()
      .add('revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())')
      .addIdsOf('workspace_id', workspaceId, { before })
    const text = `${this.selectCounted} WHERE ${where.text} ORDER BY workspace_id DESC, id DESC`
    const statement =
      limit === null ? { text } : listStatement('list-tokens', `${text} LIMIT ${limit}`, limit)
    return run<CountedToken & object>(this.tokens.manager, statement, where.values)
  }

  async revoke(tx: EntityManager, actor: Actor, id: string, now: Date): Promise<string[]> {
    const audited = auditParameter(actor, [revocationOf(id)])
    const rows = await run<{ id: string }>(tx, revokeToken, [id, now, audited])
    return rows.map((row) => row.id)
  }

  /**
   * Revokes a token and all tokens that were minted from it. A mint under way holds its minter's row until it commits,
   * so the next pass finds its token. A pass that finds nothing proves that none is left. Each pass writes the audit
   * entries of the pass before it.
   */
  async revokeFamily(tx: EntityManager, actor: Actor, id: string, now: Date): Promise<string[]> {
    const all: string[] = []
    for (let pass: string[] = []; ; all.push(...pass)) {
      const changes = pass.map((each) => revocationOf(each))
      const [found] = await run<{ ids: string[] }>(tx, revokeFamily, [
        id,
        now,
        pass,
        auditParameter(actor, changes),
      ])
      pass = found!.ids
      if (pass.length === 0) return all
    }
  }

  /**
   * Takes tokens as memory has them now, with scopes that were used since `note`. Times only move forward and scopes
   * are only added, whatever other processes write. `unnest` cannot split an array of arrays, so each list is a text.
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

  private get columns(): string {
    return (this.columnsText ??= columnsOf(this.tokens.metadata, 'token'))
  }

  /** With `=` instead of BETWEEN, the planner scans the table for every row if one token minted most others. */
  private get selectCounted(): string {
    return `SELECT ${this.columns}, (
        SELECT count(*)::int FROM tokens child
        WHERE child.created_by BETWEEN token.id AND token.id AND child.revoked_at IS NULL
          AND (child.expires_at IS NULL OR child.expires_at > now())
      ) AS minted
      FROM tokens token`
  }
}

function newValuesOf(token: Token): unknown[] {
  return [
    token.id,
    token.workspaceId,
    token.name,
    token.scopes,
    token.hash,
    token.prefix,
    token.last4,
    token.createdBy,
    token.rotatedFrom,
    token.createdAt,
    token.expiresAt,
    token.scopesWatchedSince,
  ]
}

function revocationOf(id: string): AuditedChange {
  return { action: 'token.revoked', object: { type: 'token', id }, details: {} }
}
