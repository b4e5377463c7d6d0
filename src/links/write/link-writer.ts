/** Creates, updates and deletes links: reads the existing links, decides what to write, and writes it. */
import { setImmediate } from 'node:timers/promises'

import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { auditRow } from '../../audit/audit.service.js'
import type { Actor, AuditedChange } from '../../audit/audit.service.js'
import { eventRow } from '../../events/event-recorder.js'
import { EventSink } from '../../events/ports.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { onceCommitted } from '../../platform/database/after-commit.js'
import { awaitAll } from '../../platform/database/statements.js'
import { LinkDto } from '../link.dto.js'
import type { CreateLink, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { LinkRules } from '../link-rules.js'
import { RedirectLinks } from '../redirect/redirect-links.js'
import { LinkDecisions } from './decide.js'
import type { ConflictRule, LinkEvent, RowIds, RowOutcome } from './decide.js'
import { linksByKeys, lockExternalIds, lockLinks, unavailableSlugs } from './existing-links.js'
import type { LinkKeys } from './existing-links.js'
import { writeLinks } from './write-links.js'

/** Who writes links, and the tags that the actor is restricted to. */
export interface LinkActor extends Actor {
  tags: readonly string[] | null
}

/** A link to write, validated by `LinkRules.check`, and its position in the request. */
export interface BatchRow {
  index: number
  fields: CreateLink
  ids: RowIds
}

/** Rows in parts, so that one part is written while the next is prepared. `keys` has at least the keys of all rows. */
export interface RowsInParts {
  keys: LinkKeys
  parts: Iterable<readonly BatchRow[]> | AsyncIterable<readonly BatchRow[]>
}

interface WriteOptions {
  onConflict: ConflictRule
  /** Whether to record events. Audit entries are always recorded. */
  notify: boolean
  /** Called with the link that has the external ID of the row, or null. May throw. */
  checkExisting?: (existing: LinkDto | null) => void
}

/** A generated slug is taken about once in a million. Each attempt generates new slugs for the rows that conflicted. */
const maxAttempts = 20
/** Number of links that one statement writes. Other requests run between two statements. */
export const linksPerPart = 250

@Injectable()
export class LinkWriter {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly rules: LinkRules,
    private readonly deliveries: EventSink,
    private readonly redirectLinks: RedirectLinks,
  ) {}

  /**
   * Creates links, and handles existing links as `onConflict` says. Returns the outcome of each row by its index.
   * Without a transaction, only a single row may be written.
   */
  async write(
    db: EntityManager,
    actor: LinkActor,
    rows: RowsInParts,
    options: WriteOptions,
  ): Promise<Map<number, RowOutcome>> {
    const outcomes = new Map<number, RowOutcome>()
    let pending: RowsInParts | null = rows
    for (let attempts = 0; pending !== null; attempts++) {
      if (attempts === maxAttempts) throw new Error(`links still conflict after ${maxAttempts} attempts`)
      const conflicting = await this.writeOnce(db, actor, pending, options, outcomes)
      pending = conflicting.length > 0 ? splitIntoParts(conflicting) : null
    }
    return outcomes
  }

  /** Returns the outcomes that `write` would have, without writing or locking. */
  async predictOutcomes(
    db: EntityManager,
    actor: LinkActor,
    rows: readonly BatchRow[],
    onConflict: ConflictRule,
  ): Promise<Map<number, RowOutcome>> {
    const decisions = await this.decisionsFor(db, actor, splitIntoParts(rows).keys, 'read')
    return new Map(
      rows.map(({ index, fields, ids }) => [index, decisions.write(fields, onConflict, ids).outcome]),
    )
  }

  /** Updates links and returns their outcomes in the same order. `patchFor` receives the current row of each link. */
  async update(
    tx: EntityManager,
    actor: LinkActor,
    ids: readonly (string | null)[],
    patchFor: (row: LinkRow) => UpdateLink,
    externalId?: string | null,
  ): Promise<RowOutcome[]> {
    const { workspaceId } = actor
    if (externalId && ids.length > 1) await lockExternalIds(tx, workspaceId)
    const existing = await lockLinks(tx, workspaceId, validIds(ids))
    const holders = externalId
      ? await linksByKeys(tx, workspaceId, { slugs: [], externalIds: [externalId] }, 'read')
      : []
    const decisions = this.decisions(actor, [...holders, ...existing])
    const decided = ids.map((id) => decisions.update(id ?? '', patchFor))
    await this.writeDecisions(tx, actor, decisions, true)
    return decided.map(({ outcome }) => outcome)
  }

  /** Deletes links and returns their outcomes in the same order. `check` receives the current row of each link. */
  async delete(
    tx: EntityManager,
    actor: LinkActor,
    ids: readonly (string | null)[],
    check?: (row: LinkRow) => void,
  ): Promise<RowOutcome[]> {
    const existing = await lockLinks(tx, actor.workspaceId, validIds(ids))
    const decisions = this.decisions(actor, existing)
    const decided = ids.map((id) => decisions.delete(id ?? '', check))
    await this.writeDecisions(tx, actor, decisions, true)
    return decided.map(({ outcome }) => outcome)
  }

  /** Returns the rows that were not stored because another transaction took their slug or external ID. */
  private async writeOnce(
    db: EntityManager,
    actor: LinkActor,
    { keys, parts }: RowsInParts,
    { onConflict, notify, checkExisting }: WriteOptions,
    outcomes: Map<number, RowOutcome>,
  ): Promise<BatchRow[]> {
    // The first part is validated while PostgreSQL looks for existing links.
    const mode = onConflict === 'update' || onConflict === 'replace' ? 'lock' : 'read'
    const lookup = this.lookUpLinks(db, actor, keys, mode)
    lookup.catch(() => undefined)
    const decided: { row: BatchRow; id: string | null }[] = []
    const writes: Promise<string[]>[] = []
    for await (const rows of parts) {
      const decisions = await lookup
      for (const row of rows) {
        checkExisting?.(
          row.fields.external_id == null ? null : decisions.findExternalIdHolder(row.fields.external_id),
        )
        const { outcome, id } = decisions.write(row.fields, onConflict, row.ids)
        outcomes.set(row.index, outcome)
        decided.push({ row, id })
      }
      const write = this.writeDecisions(db, actor, decisions, notify)
      // `awaitAll` below throws the error after all statements have ended.
      write.catch(() => undefined)
      writes.push(write)
      await setImmediate()
    }
    const conflicting = new Set((await awaitAll(writes)).flat())
    return decided.filter(({ id }) => id !== null && conflicting.has(id)).map(({ row }) => row)
  }

  private async lookUpLinks(
    db: EntityManager,
    actor: LinkActor,
    keys: LinkKeys,
    mode: 'read' | 'lock',
  ): Promise<LinkDecisions> {
    if (keys.externalIds.length > 1) await lockExternalIds(db, actor.workspaceId)
    return this.decisionsFor(db, actor, keys, mode)
  }

  private async decisionsFor(
    db: EntityManager,
    actor: LinkActor,
    keys: LinkKeys,
    mode: 'read' | 'lock',
  ): Promise<LinkDecisions> {
    const { workspaceId } = actor
    if (keys.slugs.length + keys.externalIds.length === 0) return this.decisions(actor, [])
    const [unavailable, existing] = await awaitAll([
      unavailableSlugs(db, workspaceId, keys.slugs),
      linksByKeys(db, workspaceId, keys, mode),
    ])
    return this.decisions(actor, existing, unavailable)
  }

  private decisions(
    { workspaceId, tags }: LinkActor,
    existing: LinkRow[],
    unavailable: Iterable<string> = [],
  ): LinkDecisions {
    return new LinkDecisions(
      {
        workspaceId,
        tags,
        show: (row) => LinkDto.from(row, this.settings.shortUrlBase),
        generateSlug: () => this.rules.generateSlug(),
      },
      existing,
      unavailable,
    )
  }

  /** Writes the decided changes. Returns the IDs of new links whose slug or external ID was taken. */
  private async writeDecisions(
    db: EntityManager,
    actor: LinkActor,
    decisions: LinkDecisions,
    notify: boolean,
  ): Promise<string[]> {
    const { created, changed, events } = decisions.takeWrites()
    if (events.length === 0) return []
    const audit = events.map((event) => auditRow(actor, createAuditedChange(event)))
    const rows = notify ? events.map(eventRow) : []
    const { ids, ready } = await writeLinks(db, actor.workspaceId, { created, changed, events: rows, audit })
    this.deliveries.wakeAfterCommit(db, ready)
    // Evicts new slugs that this process cached as unknown. In other processes such entries expire after a second.
    onceCommitted(db, () => {
      for (const { slug } of [...created, ...changed]) this.redirectLinks.cache.invalidate(slug)
    })
    const stored = new Set(ids)
    return created.map(({ id }) => id).filter((id) => !stored.has(id))
  }
}

function validIds(ids: readonly (string | null)[]): string[] {
  return ids.filter((id) => id !== null)
}

/** Audit entries name the changed fields without their values, which can be long and are in the event. */
function createAuditedChange({ type, linkId, data }: LinkEvent): AuditedChange {
  return {
    action: type,
    object: { type: 'link', id: linkId },
    details: 'previous' in data ? { fields: Object.keys(data.previous) } : { slug: data.link.slug },
  }
}

/** Splits validated rows into parts. */
export function splitIntoParts(rows: readonly BatchRow[]): RowsInParts {
  const parts = Array.from({ length: Math.ceil(rows.length / linksPerPart) }, (_, i) =>
    rows.slice(i * linksPerPart, (i + 1) * linksPerPart),
  )
  return {
    keys: {
      slugs: rows.flatMap(({ fields }) => fields.slug ?? []),
      externalIds: rows.flatMap(({ fields }) => fields.external_id ?? []),
    },
    parts,
  }
}

const maxLostRaces = 5
/** Error code of PostgreSQL. */
const deadlockDetected = '40P01'

/** Retries a transaction that failed because of a concurrent one. */
export async function retryLostRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++)
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || attempts === maxLostRaces) throw error
    }
}

/** Reports whether a concurrent transaction took the external ID, or two transactions deadlocked. */
function isLostRace(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return constraint === 'links_external_id_key' || code === deadlockDetected
}
