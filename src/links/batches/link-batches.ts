/**
 * Writes many links in the caller's transaction, with a few statements for each part of a batch. A batch that ends in
 * an error has to be rolled back; `repeatingLostRaces` repeats it when it may then succeed.
 */
import { setImmediate } from 'node:timers/promises'

import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../../audit/audit.service.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { currentTime } from '../../platform/util/clock.js'
import { together } from '../../platform/database/statements.js'
import { LinkDto } from '../link.dto.js'
import type { CreateLink, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { LinkRules, isTakenExternalId } from '../link-rules.js'
import { RedirectLinks } from '../redirect/redirect-links.js'
import { LinkBatch } from './link-batch.js'
import type { ConflictRule, RowIds, RowOutcome } from './link-batch.js'
import { LinkBatchesRepository } from './link-batches.repository.js'
import type { LinkKeys } from './link-batches.repository.js'

/** A link to be written, checked by `LinkRules.check`, and its place among those that came. */
export interface BatchRow {
  index: number
  fields: CreateLink
  ids: RowIds
}

/** PostgreSQL writes one part while the next is prepared. `keys` has the keys of all rows, and may have more. */
export interface RowsInParts {
  keys: LinkKeys
  parts: Iterable<readonly BatchRow[]> | AsyncIterable<readonly BatchRow[]>
}

interface WriteOptions {
  onConflict: ConflictRule
  /** Whether the changes make events. They are audited in either case. */
  notify: boolean
  /** Called with the link that has the row's external id, or null. Throws when the caller expected something else. */
  requirePresent?: (present: LinkDto | null) => void
}

/** A made-up slug is already taken about once in a million. Each try replaces the slugs that others took meanwhile. */
const mostTries = 20
/** One statement writes this many links. Other requests run between two of them. */
export const linksInPart = 250

@Injectable()
export class LinkBatches {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly rules: LinkRules,
    private readonly batches: LinkBatchesRepository,
    private readonly redirectLinks: RedirectLinks,
  ) {}

  /** Returns the outcome of each row by its index. Events, deliveries, audit entries and announcements are in `tx`. */
  async write(
    tx: EntityManager,
    actor: Actor,
    rows: RowsInParts,
    options: WriteOptions,
  ): Promise<Map<number, RowOutcome>> {
    const outcomes = new Map<number, RowOutcome>()
    let left: RowsInParts | null = rows
    for (let tries = 0; left !== null; tries++) {
      if (tries === mostTries) throw new Error('the links of a batch are taken again and again')
      const lost = await this.writeOnce(tx, actor, left, options, outcomes)
      left = lost.length > 0 ? inParts(lost) : null
    }
    return outcomes
  }

  /** The outcomes that `write` would have. Nothing is written, and nothing is locked. */
  async foresee(
    tx: EntityManager,
    actor: Actor,
    rows: readonly BatchRow[],
    onConflict: ConflictRule,
  ): Promise<Map<number, RowOutcome>> {
    const batch = await this.batchFor(tx, actor, inParts(rows).keys, onConflict, false)
    return new Map(
      rows.map(({ index, fields, ids }) => [index, batch.write(fields, onConflict, ids).outcome]),
    )
  }

  /** Changes these links and returns their outcomes in the same order. `patchFor` gets each link as it is. */
  async update(
    tx: EntityManager,
    actor: Actor,
    ids: readonly (string | null)[],
    patchFor: (row: LinkRow) => UpdateLink,
    externalId: string | null = null,
  ): Promise<RowOutcome[]> {
    if (externalId !== null) await this.batches.lockExternalIds(tx, actor.workspaceId, [])
    const batch = await this.batchOf(tx, actor, ids, externalId)
    const decided = ids.map((id) => batch.update(id ?? '', patchFor))
    await together(this.send(tx, actor, batch, true))
    return decided.map(({ outcome }) => outcome)
  }

  async delete(tx: EntityManager, actor: Actor, ids: readonly (string | null)[]): Promise<RowOutcome[]> {
    const batch = await this.batchOf(tx, actor, ids, null)
    const decided = ids.map((id) => batch.delete(id ?? ''))
    const { rows, recorded } = batch.take().changed
    if (rows.length > 0) {
      const changes = { recorded, notify: true }
      await this.batches.delete(tx, actor, idsOf(rows), currentTime(), changes)
      this.forget(tx, rows)
    }
    return decided.map(({ outcome }) => outcome)
  }

  /** Returns the rows that were not stored, because another transaction took their slug or external id meanwhile. */
  private async writeOnce(
    tx: EntityManager,
    actor: Actor,
    { keys, parts }: RowsInParts,
    { onConflict, notify, requirePresent }: WriteOptions,
    outcomes: Map<number, RowOutcome>,
  ): Promise<BatchRow[]> {
    // The first part is checked while PostgreSQL looks for the links that exist.
    const looking = this.batchFor(tx, actor, keys, onConflict, true)
    looking.catch(() => undefined)
    const decided: { row: BatchRow; id: string | null }[] = []
    const sent: Promise<string[]>[] = []
    for await (const rows of parts) {
      const batch = await looking
      for (const row of rows) {
        requirePresent?.(row.fields.external_id == null ? null : batch.holderOf(row.fields.external_id))
        const { outcome, id } = batch.write(row.fields, onConflict, row.ids)
        outcomes.set(row.index, outcome)
        decided.push({ row, id })
      }
      sent.push(...this.send(tx, actor, batch, notify))
      await setImmediate()
    }
    const lost = new Set((await together(sent)).flat())
    return decided.filter(({ id }) => id !== null && lost.has(id)).map(({ row }) => row)
  }

  private async batchFor(
    tx: EntityManager,
    { workspaceId }: Actor,
    { slugs, externalIds }: LinkKeys,
    onConflict: ConflictRule,
    willWrite: boolean,
  ): Promise<LinkBatch> {
    const changes = onConflict === 'update' || onConflict === 'replace'
    if (slugs.length + externalIds.length === 0) return this.batch(workspaceId, [])
    const [others, present] = await together([
      willWrite && externalIds.length > 0
        ? this.batches.lockExternalIds(tx, workspaceId, slugs)
        : this.batches.unavailable(tx, workspaceId, slugs),
      this.batches.findByKeys(tx, workspaceId, { slugs, externalIds }, willWrite && changes),
    ])
    return this.batch(workspaceId, present, others)
  }

  private async batchOf(
    tx: EntityManager,
    { workspaceId }: Actor,
    ids: readonly (string | null)[],
    externalId: string | null,
  ): Promise<LinkBatch> {
    const known = ids.filter((id) => id !== null)
    const present = await this.batches.lockByIds(tx, workspaceId, known)
    const holders =
      externalId === null
        ? []
        : await this.batches.findByKeys(tx, workspaceId, { slugs: [], externalIds: [externalId] }, false)
    return this.batch(workspaceId, [...holders, ...present])
  }

  private batch(workspaceId: string, present: LinkRow[], unavailable: Iterable<string> = []): LinkBatch {
    return new LinkBatch(
      {
        workspaceId,
        show: (row) => LinkDto.from(row, this.settings.shortUrlBase),
        makeSlug: () => this.rules.makeSlug(),
      },
      present,
      unavailable,
    )
  }

  /** Sends what the batch has to write. The answers are the ids of new links that others prevented by taking a key. */
  private send(tx: EntityManager, actor: Actor, batch: LinkBatch, notify: boolean): Promise<string[]>[] {
    const { made, changed } = batch.take()
    const sent: Promise<string[]>[] = []
    if (changed.rows.length > 0)
      sent.push(
        this.batches.update(tx, actor, changed.rows, { recorded: changed.recorded, notify }).then(() => []),
      )
    if (made.rows.length > 0)
      sent.push(
        this.batches
          .insert(tx, actor, made.rows, { recorded: made.recorded, notify })
          .then((stored) => idsOf(made.rows).filter((id) => !stored.has(id))),
      )
    // The caller throws an error when all statements have ended.
    for (const answer of sent) answer.catch(() => undefined)
    // This process may remember a new slug as unknown. Other processes forget that by themselves after a second.
    this.forget(tx, [...made.rows, ...changed.rows])
    return sent
  }

  private forget(tx: EntityManager, rows: readonly LinkRow[]): void {
    afterCommit(tx, () => rows.forEach(({ slug }) => this.redirectLinks.cache.invalidate(slug)))
  }
}

/** Splits rows that are checked already into parts. */
export function inParts(rows: readonly BatchRow[]): RowsInParts {
  const parts = Array.from({ length: Math.ceil(rows.length / linksInPart) }, (_, i) =>
    rows.slice(i * linksInPart, (i + 1) * linksInPart),
  )
  return {
    keys: {
      slugs: rows.flatMap(({ fields }) => fields.slug ?? []),
      externalIds: rows.flatMap(({ fields }) => fields.external_id ?? []),
    },
    parts,
  }
}

function idsOf(rows: readonly LinkRow[]): string[] {
  return rows.map(({ id }) => id)
}

const mostRaces = 5

/** Repeats the work of a transaction that lost a race, because it may win the next time. */
export async function repeatingLostRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || tries === mostRaces) throw error
    }
}

/** Another link took the external id after the batch had looked for it, or two transactions deadlocked. */
function isLostRace(error: unknown): boolean {
  return isTakenExternalId(error) || (error as { code?: unknown } | null)?.code === '40P01'
}
