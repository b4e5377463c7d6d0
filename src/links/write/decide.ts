/**
 * Decides what to write for each of many links, one after the other, as if each had come in a call of its own: a row
 * sees what the rows before it did. Nothing here reads the database. `LinkDecisions` is given the links that exist, and
 * returns the links to write.
 */
import { newId } from '../../platform/database/ids.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import type { CreateLink, LinkDto, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { linkCreated, linkDeleted, linkUpdated } from '../link-events.js'
import type { LinkEvent } from '../link-events.js'
import { changed, newLink, replaced } from '../link-values.js'
import { currentTime } from '../../platform/util/clock.js'
import { externalIdTaken } from '../link-rules.js'
import { slugTakenByOther, slugTakenByOwn } from '../addresses.js'
import { mostTags } from '../link-fields.js'
import type { ConflictMode } from '../link-fields.js'

/** `replace` makes the link with the same external id exactly what came. */
export type ConflictRule = ConflictMode | 'replace'

export interface RowFault {
  code: 'validation_failed' | 'conflict' | 'not_found'
  detail: string
  /** Their pointers begin at the link, such as `/slug`. */
  errors: InputError[]
}

export type RowOutcome =
  | { status: 'created' | 'updated' | 'skipped' | 'deleted'; link: LinkDto }
  | { status: 'failed'; fault: RowFault }

/**
 * The ids that a row may need, for its link and its event. They are made in the order in which the rows came, so lists
 * and feeds have this order, whichever row is written first.
 */
export interface RowIds {
  link: string
  event: string
}

export function newRowIds(): RowIds {
  return { link: newId(), event: newId() }
}

/** A link that the batch has met. */
interface KnownLink {
  isStored: boolean
  /** Whether the link is made in this call, which may still be rolled back. */
  isMadeHere: boolean
  row: LinkRow
  shown: LinkDto
  recorded: LinkEvent[]
}

/** Links to write, and what happened to them. */
export interface DecidedWrites {
  created: LinkRow[]
  changed: LinkRow[]
  events: LinkEvent[]
}

export interface Decided {
  outcome: RowOutcome
  /** The link of the outcome; null when the row failed. */
  id: string | null
}

/** Stands in the place of a link when no link of this batch can have the slug or the external id. */
const unavailable = Symbol('unavailable')
type KeyHolder = KnownLink | typeof unavailable

export class LinkDecisions {
  private readonly byId = new Map<string, KnownLink>()
  private readonly bySlug = new Map<string, KeyHolder>()
  private readonly byExternalId = new Map<string, KeyHolder>()
  private readonly toWrite = new Set<KnownLink>()

  constructor(
    private readonly of: { workspaceId: string; show: (row: LinkRow) => LinkDto; makeSlug: () => string },
    present: Iterable<LinkRow>,
    unavailableSlugs: Iterable<string> = [],
  ) {
    for (const slug of unavailableSlugs) this.bySlug.set(slug, unavailable)
    for (const row of present)
      this.meet({ isStored: true, isMadeHere: false, row, shown: of.show(row), recorded: [] })
  }

  /** The link with this external id. */
  holderOf(externalId: string): LinkDto | null {
    const holder = this.byExternalId.get(externalId)
    return holder && holder !== unavailable ? holder.shown : null
  }

  write(fields: CreateLink, onConflict: ConflictRule, ids: RowIds): Decided {
    const ofSlug = fields.slug === undefined ? undefined : this.bySlug.get(fields.slug)
    const ofExternalId = fields.external_id == null ? undefined : this.byExternalId.get(fields.external_id)
    if (!ofSlug && !ofExternalId) return this.make(fields, ids)
    if (ofSlug === unavailable) return failed(slugTaken(fields.slug!))
    if (ofExternalId === unavailable) return failed(externalIdTaken)
    if (onConflict === 'fail')
      return failed(
        ...(ofSlug ? [slugTaken(fields.slug!, ofSlug)] : []),
        ...(ofExternalId ? [externalIdTaken] : []),
      )
    if (ofSlug && ofExternalId && ofSlug !== ofExternalId)
      return failed(onConflict === 'replace' ? slugTaken(fields.slug!, ofSlug) : twoLinks)
    const met = (ofExternalId ?? ofSlug)!
    if (onConflict === 'skip') return { outcome: { status: 'skipped', link: met.shown }, id: met.row.id }
    if (onConflict === 'replace' && !ofExternalId) return failed(slugTaken(fields.slug!, met))
    if (fields.slug !== undefined && !ofSlug) return failed(slugStays(met.row.slug))
    const after = onConflict === 'replace' ? replaced(met.row, fields) : changed(met.row, fields)
    return this.change(met, after, ids.event)
  }

  /** `patchFor` makes the patch from the link as it is. */
  update(id: string, patchFor: (row: LinkRow) => UpdateLink): Decided {
    const met = this.byId.get(id)
    if (!met) return unknown
    const after = changed(met.row, patchFor(met.row))
    if (after.tags.length > mostTags) return tooManyTags
    const holder = after.external_id === null ? undefined : this.byExternalId.get(after.external_id)
    return holder && holder !== met ? failed(externalIdTaken) : this.change(met, after)
  }

  delete(id: string): Decided {
    const met = this.byId.get(id)
    if (!met) return unknown
    if (met.row.deleted_at) return { outcome: { status: 'skipped', link: met.shown }, id }
    this.record(met, linkDeleted(this.subjectOf(met.row), met.shown))
    met.row = { ...met.row, deleted_at: currentTime() }
    return { outcome: { status: 'deleted', link: met.shown }, id }
  }

  /** Returns what to write since the last call. From now on these links count as stored. */
  take(): DecidedWrites {
    const writes: DecidedWrites = { created: [], changed: [], events: [] }
    for (const met of this.toWrite) {
      const rows = met.isStored ? writes.changed : writes.created
      rows.push(met.row)
      writes.events.push(...met.recorded)
      Object.assign(met, { isStored: true, recorded: [] })
    }
    this.toWrite.clear()
    return writes
  }

  private make(fields: CreateLink, ids: RowIds): Decided {
    const row = newLink(fields, fields.slug ?? this.of.makeSlug(), ids.link)
    const shown = this.of.show(row)
    const met: KnownLink = { isStored: false, isMadeHere: true, row, shown, recorded: [] }
    this.meet(met)
    this.record(met, linkCreated(this.subjectOf(row), shown), ids.event)
    return { outcome: { status: 'created', link: shown }, id: row.id }
  }

  private change(met: KnownLink, after: LinkRow, eventId?: string): Decided {
    const { row, shown: before } = met
    if (after === row) return { outcome: { status: 'skipped', link: before }, id: row.id }
    const shown = this.of.show(after)
    this.record(met, linkUpdated(this.subjectOf(row), before, shown), eventId)
    met.row = after
    met.shown = shown
    // PostgreSQL checks uniqueness row by row in no fixed order, so an id that was given up is free in the next batch.
    if (row.external_id !== null) this.byExternalId.set(row.external_id, unavailable)
    if (after.external_id !== null) this.byExternalId.set(after.external_id, met)
    return { outcome: { status: 'updated', link: shown }, id: row.id }
  }

  private meet(met: KnownLink): void {
    const { id, slug, external_id } = met.row
    this.byId.set(id, met)
    this.bySlug.set(slug, met)
    if (external_id !== null) this.byExternalId.set(external_id, met)
  }

  private record(met: KnownLink, event: LinkEvent, id = newId()): void {
    met.recorded.push({ ...event, id })
    this.toWrite.add(met)
  }

  private subjectOf({ id }: LinkRow): { id: string; workspaceId: string } {
    return { id, workspaceId: this.of.workspaceId }
  }
}

function slugTaken(slug: string, holder?: KnownLink): InputError {
  const detail = !holder
    ? slugTakenByOther(slug)
    : holder.isMadeHere
      ? `The slug ${slug} comes twice. Choose another for one of them.`
      : slugTakenByOwn(slug, holder.row.id)
  return { pointer: '/slug', code: 'taken', detail }
}

function slugStays(slug: string): InputError {
  return {
    pointer: '/slug',
    code: 'unchangeable',
    detail: `The link with this external_id has the slug ${slug}, and a slug cannot be changed. Leave it out.`,
  }
}

const twoLinks: InputError = {
  pointer: '/external_id',
  code: 'other_link',
  detail: 'The slug and the external_id name different links. Leave one of them out, or name the same link.',
}

const unknown = failedAs('not_found', [
  {
    pointer: '',
    code: 'not_found',
    detail: 'The workspace has no such link, or has it no longer. Leave the id out.',
  },
])

const tooManyTags = failedAs('validation_failed', [
  {
    pointer: '',
    code: 'too_many_tags',
    detail: `The link would have more than ${mostTags} tags. Remove some of them, or add fewer.`,
  },
])

function failed(...errors: InputError[]): Decided {
  return failedAs('conflict', errors)
}

function failedAs(code: RowFault['code'], errors: InputError[]): Decided {
  const detail = errors.map((error) => error.detail).join(' ')
  return { outcome: { status: 'failed', fault: { code, detail, errors } }, id: null }
}
