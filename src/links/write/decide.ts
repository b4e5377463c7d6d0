/**
 * Decides what to write for each row of a batch, as if each row were a separate request: a row sees the changes of the
 * rows before it. Does not access the database.
 */
import type { NewEvent } from '../../events/event-recorder.js'
import { encodeId, newId } from '../../platform/database/ids.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import type { LinkFields } from '../link-fields.dto.js'
import { CreateLink } from '../link.dto.js'
import type { LinkDto, UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { getPreviousValues, newRow, replaceRow, updateRow } from '../link-values.js'
import { currentTime } from '../../platform/util/clock.js'
import { maxTags } from '../link-fields.js'
import type { ConflictMode } from '../link-fields.js'

/** `replace` also resets the absent fields of the link with the same external ID. */
export type ConflictRule = ConflictMode | 'replace'

export interface RowFault {
  code: 'validation_failed' | 'conflict' | 'not_found' | 'restricted'
  detail: string
  /** Errors with pointers relative to the link, such as `/slug`. */
  errors: InputError[]
}

export type RowOutcome =
  | { status: 'created' | 'updated' | 'skipped' | 'deleted'; link: LinkDto }
  | { status: 'failed'; fault: RowFault }

/**
 * IDs for the link and the event of a row. They are generated in the order of the request, so that lists and feeds have
 * this order even if rows are written in another order.
 */
export interface RowIds {
  link: string
  event: string
}

export function newRowIds(): RowIds {
  return { link: newId(), event: newId() }
}

export type LinkEvent = Extract<NewEvent, { type: 'link.created' | 'link.updated' | 'link.deleted' }> & {
  linkId: string
}

type LinkChange =
  | { type: 'link.created' | 'link.deleted'; data: { link: LinkDto } }
  | { type: 'link.updated'; data: { link: LinkDto; previous: Partial<LinkFields> } }

/** A link that exists or that an earlier row created. */
interface BatchLink {
  isStored: boolean
  /** Whether an earlier row created the link. */
  isNew: boolean
  row: LinkRow
  shown: LinkDto
  events: LinkEvent[]
}

/** Links to write, with their events. */
export interface DecidedWrites {
  created: LinkRow[]
  changed: LinkRow[]
  events: LinkEvent[]
}

export interface Decided {
  outcome: RowOutcome
  /** ID of the link, or null if the row failed. */
  id: string | null
}

/** Marks a slug or external ID that no link of this batch can have. */
const unavailable = Symbol('unavailable')
type KeyHolder = BatchLink | typeof unavailable

export class LinkDecisions {
  private readonly byId = new Map<string, BatchLink>()
  private readonly bySlug = new Map<string, KeyHolder>()
  private readonly byExternalId = new Map<string, KeyHolder>()
  private readonly toWrite = new Set<BatchLink>()

  constructor(
    private readonly options: {
      workspaceId: string
      /** The caller can only access links with one of these tags. Null for all links. */
      tags: readonly string[] | null
      show: (row: LinkRow) => LinkDto
      generateSlug: () => string
    },
    existing: Iterable<LinkRow>,
    unavailableSlugs: Iterable<string> = [],
  ) {
    for (const slug of unavailableSlugs) this.bySlug.set(slug, unavailable)
    for (const row of existing)
      if (this.isAccessible(row))
        this.addLink({ isStored: true, isNew: false, row, shown: options.show(row), events: [] })
      else this.hideLink(row)
  }

  /** Returns the link with this external ID, or null. */
  findExternalIdHolder(externalId: string): LinkDto | null {
    const holder = this.byExternalId.get(externalId)
    return holder && holder !== unavailable ? holder.shown : null
  }

  write(given: CreateLink, onConflict: ConflictRule, ids: RowIds): Decided {
    // An update without `tags` keeps the stored tags, so the caller's tag is not added.
    const fields = onConflict === 'replace' || given.tags !== undefined ? this.withOnlyTag(given) : given
    const slugHolder = fields.slug === undefined ? undefined : this.bySlug.get(fields.slug)
    const idHolder = fields.external_id == null ? undefined : this.byExternalId.get(fields.external_id)
    if (!slugHolder && !idHolder) return this.createLink(this.withOnlyTag(fields), ids)
    if (slugHolder === unavailable) return failed(slugTaken(fields.slug!))
    if (idHolder === unavailable) return failed(externalIdTaken)
    if (onConflict === 'fail')
      return failed(
        ...(slugHolder ? [slugTaken(fields.slug!, slugHolder)] : []),
        ...(idHolder ? [externalIdTaken] : []),
      )
    if (slugHolder && idHolder && slugHolder !== idHolder)
      return failed(onConflict === 'replace' ? slugTaken(fields.slug!, slugHolder) : twoLinks)
    const link = (idHolder ?? slugHolder)!
    if (onConflict === 'skip') return { outcome: { status: 'skipped', link: link.shown }, id: link.row.id }
    if (onConflict === 'replace' && !idHolder) return failed(slugTaken(fields.slug!, link))
    if (fields.slug !== undefined && !slugHolder) return failed(slugUnchangeable(link.row.slug))
    const after = onConflict === 'replace' ? replaceRow(link.row, fields) : updateRow(link.row, fields)
    return this.changeLink(link, after, ids.event)
  }

  /** `patchFor` receives the current row of the link, and may throw. */
  update(id: string, patchFor: (row: LinkRow) => UpdateLink): Decided {
    const link = this.byId.get(id)
    if (!link) return notFound
    const after = updateRow(link.row, patchFor(link.row))
    if (after.tags.length > maxTags) return tooManyTags
    const holder = after.external_id === null ? undefined : this.byExternalId.get(after.external_id)
    return holder && holder !== link ? failed(externalIdTaken) : this.changeLink(link, after)
  }

  /** `check` receives the current row of the link, and may throw. */
  delete(id: string, check?: (row: LinkRow) => void): Decided {
    const link = this.byId.get(id)
    if (!link) return notFound
    if (link.row.deleted_at) return { outcome: { status: 'skipped', link: link.shown }, id }
    check?.(link.row)
    this.addEvent(link, { type: 'link.deleted', data: { link: link.shown } })
    link.row = { ...link.row, deleted_at: currentTime() }
    return { outcome: { status: 'deleted', link: link.shown }, id }
  }

  /** Returns the writes decided since the last call, and marks their links as stored. */
  takeWrites(): DecidedWrites {
    const writes: DecidedWrites = { created: [], changed: [], events: [] }
    for (const link of this.toWrite) {
      const rows = link.isStored ? writes.changed : writes.created
      rows.push(link.row)
      writes.events.push(...link.events)
      Object.assign(link, { isStored: true, events: [] })
    }
    this.toWrite.clear()
    return writes
  }

  private createLink(fields: CreateLink, ids: RowIds): Decided {
    const row = newRow(fields, fields.slug ?? this.options.generateSlug(), ids.link)
    if (!this.isAccessible(row)) return this.lacksTags()
    if (row.tags.length > maxTags) return tooManyTags
    const shown = this.options.show(row)
    const link: BatchLink = { isStored: false, isNew: true, row, shown, events: [] }
    this.addLink(link)
    this.addEvent(link, { type: 'link.created', data: { link: shown } }, ids.event)
    return { outcome: { status: 'created', link: shown }, id: row.id }
  }

  private changeLink(link: BatchLink, after: LinkRow, eventId?: string): Decided {
    const { row, shown: before } = link
    if (after === row) return { outcome: { status: 'skipped', link: before }, id: row.id }
    if (!this.isAccessible(after)) return this.lacksTags()
    if (after.tags.length > maxTags) return tooManyTags
    const shown = this.options.show(after)
    const previous = getPreviousValues(before, shown)
    this.addEvent(link, { type: 'link.updated', data: { link: shown, previous } }, eventId)
    link.row = after
    link.shown = shown
    // A released ID is available in the next batch, because PostgreSQL checks uniqueness row by row in any order.
    if (row.external_id !== null) this.byExternalId.set(row.external_id, unavailable)
    if (after.external_id !== null) this.byExternalId.set(after.external_id, link)
    return { outcome: { status: 'updated', link: shown }, id: row.id }
  }

  private addLink(link: BatchLink): void {
    const { id, slug, external_id } = link.row
    this.byId.set(id, link)
    this.bySlug.set(slug, link)
    if (external_id !== null) this.byExternalId.set(external_id, link)
  }

  /** Reserves the slug and the external ID of a link that the caller cannot access. */
  private hideLink({ slug, external_id }: LinkRow): void {
    this.bySlug.set(slug, unavailable)
    if (external_id !== null) this.byExternalId.set(external_id, unavailable)
  }

  private isAccessible({ tags }: LinkRow): boolean {
    const allowed = this.options.tags
    return allowed === null || tags.some((tag) => allowed.includes(tag))
  }

  /** Adds the tag that a caller is restricted to, if there is only one. */
  private withOnlyTag(fields: CreateLink): CreateLink {
    const [tag, ...others] = this.options.tags ?? []
    if (tag === undefined || others.length > 0 || fields.tags?.includes(tag)) return fields
    return Object.assign(new CreateLink(), fields, { tags: [...(fields.tags ?? []), tag] })
  }

  private lacksTags(): Decided {
    const detail = `This token can only write links with one of these tags: ${this.options.tags!.join(', ')}.`
    return failedAs('restricted', [{ pointer: '/tags', code: 'restricted', detail }])
  }

  private addEvent(link: BatchLink, change: LinkChange, id = newId()): void {
    link.events.push({ ...change, id, workspaceId: this.options.workspaceId, linkId: link.row.id })
    this.toWrite.add(link)
  }
}

function slugTaken(slug: string, holder?: BatchLink): InputError {
  const detail = !holder
    ? `The slug ${slug} is in use, or was used by a deleted link. Choose another slug.`
    : holder.isNew
      ? `The slug ${slug} is used twice. Choose another slug for one of the links.`
      : `The slug ${slug} belongs to your link ${encodeId('lnk', holder.row.id)}. Update that link, or choose another slug.`
  return { pointer: '/slug', code: 'taken', detail }
}

const externalIdTaken: InputError = {
  pointer: '/external_id',
  code: 'taken',
  detail:
    'Another link of the workspace has this external_id. Choose another external_id, or update that link.',
}

function slugUnchangeable(slug: string): InputError {
  return {
    pointer: '/slug',
    code: 'unchangeable',
    detail: `The link with this external_id has the slug ${slug}, and slugs cannot be changed. Leave out slug.`,
  }
}

const twoLinks: InputError = {
  pointer: '/external_id',
  code: 'other_link',
  detail:
    'The slug and the external_id belong to different links. Leave out one of them, or use values of the same link.',
}

const notFound = failedAs('not_found', [
  {
    pointer: '',
    code: 'not_found',
    detail: 'The link was not found in this workspace, or was deleted. Leave out this ID.',
  },
])

const tooManyTags = failedAs('validation_failed', [
  {
    pointer: '',
    code: 'too_many_tags',
    detail: `The link would have more than ${maxTags} tags. Remove some tags, or add fewer.`,
  },
])

function failed(...errors: InputError[]): Decided {
  return failedAs('conflict', errors)
}

function failedAs(code: RowFault['code'], errors: InputError[]): Decided {
  const detail = errors.map((error) => error.detail).join(' ')
  return { outcome: { status: 'failed', fault: { code, detail, errors } }, id: null }
}
