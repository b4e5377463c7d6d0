/**
 * Stores the response of a request with an Idempotency-Key, in the transaction of the change, so that both or neither
 * survive a crash. A running request holds a transaction lock on its key, which ends with its process. Errors are not
 * stored, so that the key can be used for the corrected request.
 */
import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, Index, PrimaryColumn } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { currentMs, currentTime } from '../util/clock.js'
import { getStoredResponseContext } from '../database/key-dependents.js'
import { Sealing } from '../database/sealing.js'
import { createEntityTag } from './resource-headers.js'
import { Maintenance } from '../database/maintenance.js'
import { Problem } from './problems/problem.js'
import type { KeyedRequest } from './request.js'

const keepMs = 24 * 3_600_000

/** Thrown to leave a transaction whose request has a stored response. */
export class ResponseAlreadyStored extends Error {
  constructor(readonly response: StoredResponse) {
    super('The response is already stored')
  }
}

export interface StoredResponse {
  body: Record<string, unknown>
  etag: string | null
}

/** Both columns are null if nothing is stored. */
interface StoredRow {
  fingerprint: Buffer | null
  sealed_body: Buffer | null
}

@Injectable()
export class Idempotency {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sealing: Sealing,
    maintenance: Maintenance,
  ) {
    maintenance.addWork('Old stored responses could not be deleted', (tx) => this.deleteOld(tx))
  }

  /** Finds the stored response for a retry that was rejected before its work started. */
  async findStoredResponse(
    keyed: KeyedRequest,
    db: EntityManager = this.dataSource.manager,
  ): Promise<StoredResponse | null> {
    const rows: StoredRow[] = await db.query(
      `SELECT fingerprint, sealed_body FROM idempotent_answers
       WHERE token_id = $1 AND key = $2 AND created_at >= $3`,
      [keyed.tokenId, keyed.key, oldestKept()],
    )
    return rows[0] ? this.readStoredRow(rows[0], keyed) : null
  }

  /** Returns whether a response is stored for the key, whatever the request was. */
  async hasStoredResponse(keyed: KeyedRequest): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT FROM idempotent_answers WHERE token_id = $1 AND key = $2 AND created_at >= $3',
      [keyed.tokenId, keyed.key, oldestKept()],
    )
    return rows.length > 0
  }

  /** Binds a keyed request to the hash of its streamed body. Call this before `runOnce` or `findStoredResponse`. */
  addBody(keyed: KeyedRequest | null, bodyHash: Buffer): void {
    if (keyed) keyed.fingerprint = createHash('sha256').update(keyed.fingerprint).update(bodyHash).digest()
  }

  /** Runs the work in a transaction, at most once for a keyed request. The work returns the response body. */
  async runOnce<T extends object>(
    keyed: KeyedRequest | null,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (tx) => {
      if (!keyed) return work(tx)
      const before = await this.claimKey(tx, keyed)
      if (before) throw new ResponseAlreadyStored(before)
      const body = await work(tx)
      const response = { body: body as Record<string, unknown>, etag: createEntityTag(body) }
      if (await this.storeResponse(tx, keyed, response)) return body
      throw await this.createOvertakenError(tx, keyed)
    })
  }

  private async deleteOld(tx: EntityManager): Promise<void> {
    await tx.query('DELETE FROM idempotent_answers WHERE created_at < $1', [oldestKept()])
  }

  /** Locks the key and finds its stored response, in one statement. */
  private async claimKey(tx: EntityManager, keyed: KeyedRequest): Promise<StoredResponse | null> {
    const rows: (StoredRow & { locked: boolean })[] = await tx.query(
      `SELECT pg_try_advisory_xact_lock($1) AS locked, fingerprint, sealed_body
       FROM (VALUES (1)) AS always
       LEFT JOIN idempotent_answers ON token_id = $2 AND key = $3 AND created_at >= $4`,
      [createLockName(keyed), keyed.tokenId, keyed.key, oldestKept()],
    )
    const [row] = rows
    if (!row?.locked) throw createStillRunningProblem()
    return this.readStoredRow(row, keyed)
  }

  /**
   * A statement sees what was committed when it started, but takes its lock slightly later. In between, another request
   * with the same key may have committed and released the lock. Its response is then the first one, and this
   * transaction is rolled back.
   */
  private async createOvertakenError(tx: EntityManager, keyed: KeyedRequest): Promise<Error> {
    const response = await this.findStoredResponse(keyed, tx)
    return response ? new ResponseAlreadyStored(response) : createStillRunningProblem()
  }

  private readStoredRow({ fingerprint, sealed_body }: StoredRow, keyed: KeyedRequest): StoredResponse | null {
    if (!fingerprint || !sealed_body) return null
    if (!fingerprint.equals(keyed.fingerprint)) throw createReusedKeyProblem()
    return JSON.parse(this.openSealedBody(sealed_body, keyed)) as StoredResponse
  }

  private openSealedBody(sealed: Buffer, keyed: KeyedRequest): string {
    try {
      return this.sealing.open(sealed, getStoredResponseContext(keyed))
    } catch {
      throw new Problem('idempotency_unreadable')
    }
  }

  /** Stores the response. Returns false if another response is already stored. */
  private async storeResponse(
    tx: EntityManager,
    keyed: KeyedRequest,
    response: StoredResponse,
  ): Promise<boolean> {
    const stored: unknown[] = await tx.query(
      `INSERT INTO idempotent_answers (token_id, key, fingerprint, sealed_body, created_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (token_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, sealed_body = excluded.sealed_body, created_at = excluded.created_at
         WHERE idempotent_answers.created_at < $6
       RETURNING 1`,
      [
        keyed.tokenId,
        keyed.key,
        keyed.fingerprint,
        this.sealing.seal(JSON.stringify(response), getStoredResponseContext(keyed)),
        currentTime(),
        oldestKept(),
      ],
    )
    return stored.length > 0
  }
}

function oldestKept(): Date {
  return new Date(currentMs() - keepMs)
}

function createReusedKeyProblem(): Problem {
  return new Problem('idempotency_mismatch', {
    detail: 'This Idempotency-Key was used for another request. Use a new key for this request.',
  })
}

/** Asks the client to retry the request. */
export function createStillRunningProblem(): Problem {
  return new Problem('idempotency_in_progress', { headers: { 'retry-after': '1' } })
}

function createLockName(keyed: KeyedRequest): string {
  return createHash('sha256').update(getStoredResponseContext(keyed)).digest().readBigInt64BE().toString()
}

/** The first response to a keyed request, kept for 24 hours. The body is sealed, because it may contain a secret. */
@Entity('idempotent_answers')
export class IdempotentResponse {
  @PrimaryColumn({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @PrimaryColumn({ type: 'text' })
  key!: string

  @Column({ type: 'bytea' })
  fingerprint!: Buffer

  @Column({ name: 'sealed_body', type: 'bytea' })
  sealedBody!: Buffer

  @Index('idempotent_answers_by_age')
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date
}
