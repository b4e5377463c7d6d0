/**
 * Many links at once, in the transaction of whoever calls: a few statements for a batch, however many links it has. A
 * batch that ends in an error has to be rolled back; `isLostRace` says whether the same may succeed when it is repeated.
 */
import { setImmediate } from 'node:timers/promises'

import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../../audit/audit.service.js'
import { SETTINGS } from '../../platform/config/settings.js'
import type { RunningSettings } from '../../platform/config/settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { together } from '../../platform/database/statements.js'
import { LinkDto } from '../link.dto.js'
import type { CreateLink, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link-row.js'
import { LinkRules } from '../link-rules.js'
import { RedirectLinks } from '../redirect-links.js'
import { shortUrlBaseOf } from '../slug.js'
import { LinkBatch } from './link-batch.js'
import type { OnConflict, RowOutcome } from './link-batch.js'
import { LinkBatchesRepository } from './link-batches.repository.js'

/** A link to be written, checked by `LinkRules.check`, and its place among those that came. */
export interface BatchRow {
  index: number
  fields: CreateLink
}

interface WriteOptions {
  onConflict: OnConflict
  /** Whether events are made of the changes. They are audited in either case. */
  notify: boolean
}

/** Of slugs that are made up hardly one in a million is taken; each try is for those that others took meanwhile. */
const mostTries = 20
/** A statement for so many: PostgreSQL writes one part while the next is prepared, and others get a turn in between. */
const insertedTogether = 250
const done = Promise.resolve()

@Injectable()
export class LinkBatches {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly rules: LinkRules,
    private readonly batches: LinkBatchesRepository,
    private readonly redirectLinks: RedirectLinks,
  ) {}

  /** What became of each row, by its index. Events and deliveries, audit entries and announcements are in `tx` too. */
  async write(
    tx: EntityManager,
    actor: Actor,
    rows: readonly BatchRow[],
    { onConflict, notify }: WriteOptions,
  ): Promise<Map<number, RowOutcome>> {
    const outcomes = new Map<number, RowOutcome>()
    let left = rows
    for (let tries = 0; left.length > 0; tries++) {
      if (tries === mostTries) throw new Error('the links of a batch are taken again and again')
      const batch = await this.batchFor(tx, actor, left, onConflict, true)
      const decided = left.map(({ fields }) => batch.write(fields, onConflict))
      const lost = await this.store(tx, actor, batch, notify)
      left = left.filter(({ index }, i) => {
        const { outcome, id } = decided[i]!
        if (id !== null && lost.has(id)) return true
        outcomes.set(index, outcome)
        return false
      })
    }
    return outcomes
  }

  /** What `write` would make of them. Nothing is written, and nothing locked. */
  async foresee(
    tx: EntityManager,
    actor: Actor,
    rows: readonly BatchRow[],
    onConflict: OnConflict,
  ): Promise<Map<number, RowOutcome>> {
    const batch = await this.batchFor(tx, actor, rows, onConflict, false)
    return new Map(rows.map(({ index, fields }) => [index, batch.write(fields, onConflict).outcome]))
  }

  /** What becomes of each of these links, in their order; `patchFor` is asked with each as it is. */
  async update(
    tx: EntityManager,
    actor: Actor,
    ids: readonly (string | null)[],
    patchFor: (row: LinkRow) => UpdateLink,
    externalId: string | null = null,
  ): Promise<RowOutcome[]> {
    if (externalId !== null) await this.batches.lockExternalIds(tx, actor.workspaceId)
    const batch = await this.batchOf(tx, actor, ids, externalId)
    const decided = ids.map((id) => batch.update(id ?? '', patchFor))
    await this.store(tx, actor, batch, true)
    return decided.map(({ outcome }) => outcome)
  }

  async delete(tx: EntityManager, actor: Actor, ids: readonly (string | null)[]): Promise<RowOutcome[]> {
    const batch = await this.batchOf(tx, actor, ids, null)
    const decided = ids.map((id) => batch.delete(id ?? ''))
    const { rows, recorded } = batch.changed
    if (rows.length > 0) {
      const changes = { recorded, notify: true }
      await this.batches.delete(tx, actor, idsOf(rows), new Date(), changes)
      this.forget(tx, rows)
    }
    return decided.map(({ outcome }) => outcome)
  }

  private async batchFor(
    tx: EntityManager,
    { workspaceId }: Actor,
    rows: readonly BatchRow[],
    onConflict: OnConflict,
    willWrite: boolean,
  ): Promise<LinkBatch> {
    const changes = onConflict === 'update' || onConflict === 'replace'
    const slugs = rows.flatMap(({ fields }) => fields.slug ?? [])
    const externalIds = rows.flatMap(({ fields }) => fields.external_id ?? [])
    if (slugs.length + externalIds.length === 0) return this.batch(workspaceId, [])
    const [, present, others] = await together([
      willWrite && externalIds.length > 0 ? this.batches.lockExternalIds(tx, workspaceId) : done,
      this.batches.findByKeys(tx, workspaceId, { slugs, externalIds }, willWrite && changes),
      this.batches.unavailable(tx, workspaceId, slugs),
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
        show: (row) => LinkDto.from(row, shortUrlBaseOf(this.settings)),
        makeSlug: () => this.rules.makeSlug(),
      },
      present,
      unavailable,
    )
  }

  /** The ids of the links that were decided on, and are not made because somebody else was quicker. */
  private async store(
    tx: EntityManager,
    actor: Actor,
    batch: LinkBatch,
    notify: boolean,
  ): Promise<Set<string>> {
    const { changed } = batch
    if (changed.rows.length > 0) {
      await this.batches.update(tx, actor, changed.rows, { recorded: changed.recorded, notify })
      this.forget(tx, changed.rows)
    }
    const made = batch.made(insertedTogether)
    const inserted: Promise<Set<string>>[] = []
    for (const { rows, recorded } of made) {
      const stored = this.batches.insert(tx, actor, rows, { recorded, notify })
      // Its error is thrown below, when all have ended.
      stored.catch(() => undefined)
      inserted.push(stored)
      await setImmediate()
    }
    const stored = await together(inserted)
    const all = made.flatMap(({ rows }) => rows)
    // This process may remember that a slug was unknown; in others it is forgotten soon enough.
    this.forget(tx, all)
    return new Set(idsOf(all).filter((id) => !stored.some((part) => part.has(id))))
  }

  private forget(tx: EntityManager, rows: readonly LinkRow[]): void {
    afterCommit(tx, () => rows.forEach(({ slug }) => this.redirectLinks.forget(slug)))
  }
}

function idsOf(rows: readonly LinkRow[]): string[] {
  return rows.map(({ id }) => id)
}

/** A link took an external id between the look and the change, or two transactions waited for each other. */
export function isLostRace(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '40P01' || constraint === 'links_external_id_key'
}
