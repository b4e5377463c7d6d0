/** A link as a call makes it: from what it was, if it was, and the fields that came. */
import { parseDuration } from '../platform/config/duration.js'
import { newId, timeOf } from '../platform/database/ids.js'
import { timeOfNextVersion } from '../platform/http/resource-headers.js'
import type { CreateLink, UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'

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
    total: null,
    human: null,
    last_clicked_at: null,
  }
}

/** The link as the merge patch makes it; the very same object when that changes nothing. */
export function changed(link: LinkRow, patch: UpdateLink): LinkRow {
  const now = new Date()
  return asNewVersion(link, { ...link, ...valuesOf(patch, now) }, now)
}

/** The same with all that the fields do not name back at its default. The slug and the counts stay. */
export function replaced(link: LinkRow, fields: CreateLink): LinkRow {
  const now = new Date()
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

/** Undefined where the fields say nothing of it, null where they clear it. */
function expiryOf({ expires_at, expires_in }: UpdateLink, now: Date): Date | null | undefined {
  if (expires_at != null) return new Date(expires_at)
  if (expires_in != null) return new Date(now.getTime() + (parseDuration(expires_in) ?? 0) * 1000)
  return expires_at === null || expires_in === null ? null : undefined
}

function asNewVersion(before: LinkRow, after: LinkRow, now: Date): LinkRow {
  if (JSON.stringify(after) === JSON.stringify(before)) return before
  after.updated_at = timeOfNextVersion(before.updated_at, now.getTime())
  return after
}
