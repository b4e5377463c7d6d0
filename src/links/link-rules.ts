/**
 * The rules for a link's fields, the link that a create or a change makes, and the event and the audit entry that
 * record it.
 */
import { Inject, Injectable } from '@nestjs/common'

import type { AuditedChange } from '../audit/audit.service.js'
import type { EventData } from '../events/catalogue.js'
import type { NewEvent } from '../events/event-recorder.js'
import { endOf } from '../platform/config/duration.js'
import { type RunningSettings, SETTINGS } from '../settings.js'
import { newId, timeOf } from '../platform/database/ids.js'
import { examine } from '../platform/http/input/input.pipe.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { currentMs, currentTime } from '../platform/util/clock.js'
import { timeOfNextVersion } from '../platform/http/resource-headers.js'
import { CreateLink, type LinkDto, type UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'
import { type OwnHosts, faultOfTarget, makeSlug, ownHosts, reservedSlugs } from './addresses.js'

/** Checks the fields of links, also by the rules that depend on the settings. Every call that writes links uses it. */
@Injectable()
export class LinkRules {
  private readonly reserved: ReadonlySet<string>
  private isOwn: OwnHosts | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    this.reserved = reservedSlugs(settings.basePath)
  }

  /** Makes a slug that is not an address of the service. Only the database knows whether it is free. */
  makeSlug(): string {
    for (;;) {
      const slug = makeSlug()
      if (!this.reserved.has(slug)) return slug
    }
  }

  /** The input as a link, with its faults. The rules are applied only when each field has the right form. */
  check(given: object): { fields: CreateLink; faults: InputError[] } {
    const { input, errors } = examine(CreateLink, given as Record<string, unknown>)
    const faults = errors.length > 0 ? errors : this.faultsOfNew(input)
    return { fields: input, faults }
  }

  faultsOfNew(fields: CreateLink): InputError[] {
    const faults = this.faultsOf(fields)
    if (fields.slug !== undefined && this.reserved.has(fields.slug))
      faults.push({
        pointer: '/slug',
        code: 'reserved',
        detail: `${fields.slug} is an address of the service itself. Choose another slug.`,
      })
    return faults
  }

  faultsOf({ url, expires_at, expires_in }: CreateLink | UpdateLink): InputError[] {
    const faults: InputError[] = []
    const detail = url === undefined ? null : faultOfTarget(url, this.ownHosts())
    if (detail) faults.push({ pointer: '/url', code: 'invalid_url', detail })
    if (expires_at != null && expires_in != null)
      faults.push({
        pointer: '/expires_in',
        code: 'not_both',
        detail: 'Write expires_at or expires_in, not both.',
      })
    if (expires_at != null && Date.parse(expires_at) <= currentMs())
      faults.push({
        pointer: '/expires_at',
        code: 'in_the_past',
        detail: 'Write a time that is still to come.',
      })
    return faults
  }

  /** Computed at the first call, because with PORT=0 the service's address is known only when it listens. */
  private ownHosts(): OwnHosts {
    const { shortUrlBase, publicUrl, port } = this.settings
    return (this.isOwn ??= ownHosts([shortUrlBase, publicUrl], port))
  }
}

export function newLink(fields: CreateLink, slug: string, id = newId()): LinkRow {
  const createdAt = timeOf(id)
  return {
    id,
    slug,
    ...defaults,
    ...valuesOf(fields, createdAt),
    url: fields.url,
    created_at: createdAt,
    updated_at: createdAt,
    total: '0',
    human: '0',
    last_clicked_at: null,
  }
}

/** The link as the merge patch makes it; the very same object when that changes nothing. */
export function changed(link: LinkRow, patch: UpdateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...valuesOf(patch, now) }, now)
}

/** As `changed`, but fields that are absent return to their defaults. The slug and the counts stay. */
export function replaced(link: LinkRow, fields: CreateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...defaults, ...valuesOf(fields, now) }, now)
}

function fold(tags: readonly string[] | null | undefined): string[] {
  return [...new Set(tags ?? [])]
}

const defaults = {
  title: null,
  tags: [] as string[],
  external_id: null,
  redirect_status: 302,
  forward_query: false,
  enabled: true,
  expires_at: null,
}

function valuesOf(fields: UpdateLink, now: Date): Partial<LinkRow> {
  const expiresAt = expiryOf(fields, now)
  return {
    ...(fields.url === undefined ? {} : { url: fields.url }),
    ...(fields.title === undefined ? {} : { title: fields.title }),
    ...(fields.tags === undefined ? {} : { tags: fold(fields.tags) }),
    ...(fields.external_id === undefined ? {} : { external_id: fields.external_id }),
    ...(fields.redirect_status === undefined ? {} : { redirect_status: fields.redirect_status }),
    ...(fields.forward_query === undefined ? {} : { forward_query: fields.forward_query }),
    ...(fields.enabled === undefined ? {} : { enabled: fields.enabled }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }
}

/** Undefined when the fields do not mention the expiry, null when they clear it. */
function expiryOf({ expires_at, expires_in }: UpdateLink, now: Date): Date | null | undefined {
  if (expires_at != null) return new Date(expires_at)
  if (expires_in != null) return endOf(now, expires_in)
  return expires_at === null || expires_in === null ? null : undefined
}

function asNewVersion(before: LinkRow, after: LinkRow, now: Date): LinkRow {
  if (JSON.stringify(after) === JSON.stringify(before)) return before
  after.updated_at = timeOfNextVersion(before.updated_at, now.getTime())
  return after
}

/** External ids are unique in a workspace. The database enforces it. */
export const externalIdTaken: InputError = {
  pointer: '/external_id',
  code: 'taken',
  detail: 'Another link of the workspace has this external_id. Choose another, or change that link.',
}

/** Whether a statement failed because another link has the external id. */
export function isTakenExternalId(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'links_external_id_key'
}

type Previous = EventData['link.updated']['previous']

export type LinkEvent = Extract<NewEvent, { type: 'link.created' | 'link.updated' | 'link.deleted' }> & {
  linkId: string
}

const changeable = [
  'url',
  'title',
  'tags',
  'external_id',
  'redirect_status',
  'forward_query',
  'enabled',
  'expires_at',
] as const satisfies readonly (keyof Previous)[]

/** What an event needs of the link's row. */
interface EventSubject {
  id: string
  workspaceId: string
}

export function linkCreated({ id, workspaceId }: EventSubject, link: LinkDto): LinkEvent {
  return { type: 'link.created', workspaceId, linkId: id, data: { link } }
}

export function linkDeleted({ id, workspaceId }: EventSubject, link: LinkDto): LinkEvent {
  return { type: 'link.deleted', workspaceId, linkId: id, data: { link } }
}

export function linkUpdated({ id, workspaceId }: EventSubject, before: LinkDto, link: LinkDto): LinkEvent {
  const changed = changeable.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(link[name]))
  const previous: Previous = Object.fromEntries(changed.map((name) => [name, before[name]]))
  return { type: 'link.updated', workspaceId, linkId: id, data: { link, previous } }
}

/** The audit entry of a change names the fields without their values. Values may be long, and the event has them. */
export function auditOf({ type, linkId, data }: LinkEvent): AuditedChange {
  return {
    action: type,
    object: { type: 'link', id: linkId },
    details: 'previous' in data ? { fields: Object.keys(data.previous) } : { slug: data.link.slug },
  }
}
