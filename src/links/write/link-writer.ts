/** Creates, changes and deletes links, one or many: reads what is there, decides, and writes. */
import { setImmediate } from 'node:timers/promises'

import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { auditRow } from '../../audit/audit.service.js'
import type { Actor } from '../../audit/audit.service.js'
import { eventRow } from '../../events/event-recorder.js'
import { EventSink } from '../../events/ports.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { onceCommitted } from '../../platform/database/after-commit.js'
import { together } from '../../platform/database/statements.js'
import { LinkDto } from '../link.dto.js'
import type { CreateLink, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { auditOf } from '../link-events.js'
import { isTakenExternalId, LinkRules } from '../link-rules.js'
import { RedirectLinks } from '../redirect/redirect-links.js'
import { LinkDecisions } from './decide.js'
import type { ConflictRule, RowIds, RowOutcome } from './decide.js'
import { linksByKeys, lockExternalIds, lockLinks, unavailableSlugs } from './existing-links.js'
import type { LinkKeys } from './existing-links.js'
import { writeLinks } from './write-links.js'

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
  /** Called with the link that has the row's external ID, or null. Throws when the caller expected something else. */
  requirePresent?: (present: LinkDto | null) => void
}

/** A generated slug is already taken about once in a million. Each try replaces the slugs that others took meanwhile. */
const mostTries = 20
/** One statement writes this many links. Other requests run between two of them. */
export const linksInPart = 250

@Injectable()
export class LinkWriter {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly rules: LinkRules,
    private readonly deliveries: EventSink,
    private readonly redirectLinks: RedirectLinks,
  ) {}

  /**
   * Creates the links, or changes those that exist as `onConflict` says. Returns the outcome of each row by its index.
   * Only a single row may be written without a transaction.
   */
  async write(
    db: EntityManager,
    actor: Actor,
    rows: RowsInParts,
    options: WriteOptions,
  ): Promise<Map<number, RowOutcome>> {
    const outcomes = new Map<number, RowOutcome>()
    let left: RowsInParts | null = rows
    for (let tries = 0; left !== null; tries++) {
      if (tries === mostTries) throw new Error('the links of a batch are taken again and again')
      const lost = await this.writeOnce(db, actor, left, options, outcomes)
      left = lost.length > 0 ? inParts(lost) : null
    }
    return outcomes
  }

  /** The outcomes that `write` would have. Nothing is written, and nothing is locked. */
  async foresee(
    db: EntityManager,
    { workspaceId }: Actor,
    rows: readonly BatchRow[],
    onConflict: ConflictRule,
  ): Promise<Map<number, RowOutcome>> {
    const decisions = await this.decisionsFor(db, workspaceId, inParts(rows).keys, 'read')
    return new Map(
      rows.map(({ index, fields, ids }) => [index, decisions.write(fields, onConflict, ids).outcome]),
    )
  }

  /** Changes these links and returns their outcomes in the same order. `patchFor` gets each link as it is. */
  async update(
    tx: EntityManager,
    actor: Actor,
    ids: readonly (string | null)[],
    patchFor: (row: LinkRow) => UpdateLink,
    externalId?: string | null,
  ): Promise<RowOutcome[]> {
    const { workspaceId } = actor
    const wanted = externalId ? [externalId] : []
    if (externalId && ids.length > 1) await lockExternalIds(tx, workspaceId)
    const present = await lockLinks(tx, workspaceId, known(ids))
    const holders = wanted.length
      ? await linksByKeys(tx, workspaceId, { slugs: [], externalIds: wanted }, 'read')
      : []
    const decisions = this.decisions(workspaceId, [...holders, ...present])
    const decided = ids.map((id) => decisions.update(id ?? '', patchFor))
    await this.send(tx, actor, decisions, true)
    return decided.map(({ outcome }) => outcome)
  }

  /** `check` gets each link as it is. It throws when the caller expected something else. */
  async delete(
    tx: EntityManager,
    actor: Actor,
    ids: readonly (string | null)[],
    check?: (row: LinkRow) => void,
  ): Promise<RowOutcome[]> {
    const present = await lockLinks(tx, actor.workspaceId, known(ids))
    if (check) present.forEach(check)
    const decisions = this.decisions(actor.workspaceId, present)
    const decided = ids.map((id) => decisions.delete(id ?? ''))
    await this.send(tx, actor, decisions, true)
    return decided.map(({ outcome }) => outcome)
  }

  /** Returns the rows that were not stored, because another transaction took their slug or external ID meanwhile. */
  private async writeOnce(
    db: EntityManager,
    actor: Actor,
    { keys, parts }: RowsInParts,
    { onConflict, notify, requirePresent }: WriteOptions,
    outcomes: Map<number, RowOutcome>,
  ): Promise<BatchRow[]> {
    // The first part is checked while PostgreSQL looks for the links that exist.
    const how = onConflict === 'update' || onConflict === 'replace' ? 'lock' : 'read'
    const looking = this.lookFirst(db, actor.workspaceId, keys, how)
    looking.catch(() => undefined)
    const decided: { row: BatchRow; id: string | null }[] = []
    const sent: Promise<string[]>[] = []
    for await (const rows of parts) {
      const decisions = await looking
      for (const row of rows) {
        requirePresent?.(row.fields.external_id == null ? null : decisions.holderOf(row.fields.external_id))
        const { outcome, id } = decisions.write(row.fields, onConflict, row.ids)
        outcomes.set(row.index, outcome)
        decided.push({ row, id })
      }
      const answer = this.send(db, actor, decisions, notify)
      // An error is thrown below, when all statements have ended.
      answer.catch(() => undefined)
      sent.push(answer)
      await setImmediate()
    }
    const lost = new Set((await together(sent)).flat())
    return decided.filter(({ id }) => id !== null && lost.has(id)).map(({ row }) => row)
  }

  private async lookFirst(
    db: EntityManager,
    workspaceId: string,
    keys: LinkKeys,
    how: 'read' | 'lock',
  ): Promise<LinkDecisions> {
    if (keys.externalIds.length > 1) await lockExternalIds(db, workspaceId)
    return this.decisionsFor(db, workspaceId, keys, how)
  }

  private async decisionsFor(
    db: EntityManager,
    workspaceId: string,
    keys: LinkKeys,
    how: 'read' | 'lock',
  ): Promise<LinkDecisions> {
    if (keys.slugs.length + keys.externalIds.length === 0) return this.decisions(workspaceId, [])
    const [unavailable, present] = await together([
      unavailableSlugs(db, workspaceId, keys.slugs),
      linksByKeys(db, workspaceId, keys, how),
    ])
    return this.decisions(workspaceId, present, unavailable)
  }

  private decisions(
    workspaceId: string,
    present: LinkRow[],
    unavailable: Iterable<string> = [],
  ): LinkDecisions {
    return new LinkDecisions(
      {
        workspaceId,
        show: (row) => LinkDto.from(row, this.settings.shortUrlBase),
        makeSlug: () => this.rules.makeSlug(),
      },
      present,
      unavailable,
    )
  }

  /** Writes what was decided. Returns the IDs of new links that others prevented by taking a key. */
  private async send(
    db: EntityManager,
    actor: Actor,
    decisions: LinkDecisions,
    notify: boolean,
  ): Promise<string[]> {
    const { created, changed, events } = decisions.take()
    if (events.length === 0) return []
    const audit = events.map((event) => auditRow(actor, auditOf(event)))
    const rows = notify ? events.map(eventRow) : []
    const { ids, ready } = await writeLinks(db, actor.workspaceId, { created, changed, events: rows, audit })
    this.deliveries.wakeAfter(db, ready)
    // This process may remember a new slug as unknown. Other processes forget that by themselves after a second.
    onceCommitted(db, () => {
      for (const { slug } of [...created, ...changed]) this.redirectLinks.cache.invalidate(slug)
    })
    const stored = new Set(ids)
    return created.map(({ id }) => id).filter((id) => !stored.has(id))
  }
}

function known(ids: readonly (string | null)[]): string[] {
  return ids.filter((id) => id !== null)
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

/** Another link took the external ID after the batch had looked for it, or two transactions deadlocked. */
function isLostRace(error: unknown): boolean {
  return isTakenExternalId(error) || (error as { code?: unknown } | null)?.code === '40P01'
}
