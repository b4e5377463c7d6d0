/**
 * Creating calls may be repeated with the same Idempotency-Key. The answer is stored in the transaction that makes the
 * change, so after a crash there are both or neither; a transaction lock, which dies with its process, marks "running".
 */
import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { Sealing } from '../database/sealing.js'
import { entityTag } from './entity-tag.js'
import { IdempotentAnswer } from './idempotent-answer.entity.js'
import { Problem } from './problem.js'
import type { ProblemCode } from './problems.js'
import type { IdempotencyClaim } from './request.js'

const keepMs = 24 * 3_600_000

/** Thrown out of a transaction that finds the work already done. */
export class AnsweredBefore extends Error {
  constructor(readonly answer: StoredAnswer) {
    super('answered before')
  }
}

export type StoredAnswer =
  | { body: Record<string, unknown>; etag: string | null }
  | { problem: { code: ProblemCode; options: Problem['options'] } }

@Injectable()
export class Idempotency {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sealing: Sealing,
  ) {}

  async answerTo(claim: IdempotencyClaim): Promise<StoredAnswer | null> {
    return this.find(this.dataSource.manager, claim)
  }

  /** Runs the work in a transaction, at most once for a claim. What it returns is the body of the answer. */
  async once<T extends object>(
    claim: IdempotencyClaim | null,
    work: (tx: EntityManager) => Promise<T>,
    status = 201,
  ): Promise<T> {
    return this.dataSource.transaction(async (tx) => {
      if (!claim) return work(tx)
      await this.lock(tx, claim)
      const answer = await this.find(tx, claim)
      if (answer) throw new AnsweredBefore(answer)
      const body = await work(tx)
      await this.keep(tx, claim, status, { body: body as Record<string, unknown>, etag: entityTag(body) })
      return body
    })
  }

  /** The first answer stays; so while another request runs under the key, no refusal may take its place. */
  async keepRefusal(claim: IdempotencyClaim, problem: Problem): Promise<void> {
    const { code, options } = problem
    await this.dataSource.transaction(async (tx) => {
      await this.lock(tx, claim)
      await this.keep(tx, claim, problem.status, { problem: { code, options } })
    })
  }

  async forgetOld(): Promise<void> {
    await this.dataSource.query('DELETE FROM idempotent_answers WHERE created_at < $1', [
      new Date(Date.now() - keepMs),
    ])
  }

  private async lock(tx: EntityManager, claim: IdempotencyClaim): Promise<void> {
    const [row]: { locked: boolean }[] = await tx.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      lockOf(claim),
    ])
    if (!row?.locked) throw new Problem('idempotency_in_progress', { headers: { 'retry-after': '1' } })
  }

  private async find(db: EntityManager, claim: IdempotencyClaim): Promise<StoredAnswer | null> {
    const found = await db.findOneBy(IdempotentAnswer, { tokenId: claim.tokenId, key: claim.key })
    if (!found || found.createdAt.getTime() < Date.now() - keepMs) return null
    if (!found.fingerprint.equals(claim.fingerprint)) throw new Problem('idempotency_mismatch')
    return JSON.parse(this.open(found.sealedBody, claim)) as StoredAnswer
  }

  private open(sealed: Buffer, claim: IdempotencyClaim): string {
    try {
      return this.sealing.open(sealed, contextOf(claim))
    } catch {
      throw new Problem('idempotency_unreadable')
    }
  }

  private async keep(
    db: EntityManager,
    claim: IdempotencyClaim,
    status: number,
    answer: StoredAnswer,
  ): Promise<void> {
    await db.query(
      `INSERT INTO idempotent_answers (token_id, key, fingerprint, status, sealed_body, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (token_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, status = excluded.status, sealed_body = excluded.sealed_body, created_at = excluded.created_at
         WHERE idempotent_answers.created_at < $7`,
      [
        claim.tokenId,
        claim.key,
        claim.fingerprint,
        status,
        this.sealing.seal(JSON.stringify(answer), contextOf(claim)),
        new Date(),
        new Date(Date.now() - keepMs),
      ],
    )
  }
}

function contextOf({ tokenId, key }: IdempotencyClaim): string {
  return `answer ${tokenId} ${key}`
}

function lockOf(claim: IdempotencyClaim): string {
  return createHash('sha256').update(contextOf(claim)).digest().readBigInt64BE().toString()
}
