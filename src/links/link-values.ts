/** Computes the row of a link that is created, updated or replaced, and the values that an update replaced. */
import { addDuration } from '../platform/config/duration.js'
import { newId, getIdTime } from '../platform/database/ids.js'
import { getNextVersionTime } from '../platform/http/resource-headers.js'
import { currentTime } from '../platform/util/clock.js'
import { linkFieldNames, linkFields } from './link-fields.dto.js'
import type { LinkFieldName, LinkFields } from './link-fields.dto.js'
import type { CreateLink, LinkDto, UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'

const defaultValues = Object.fromEntries(
  [...linkFields].map(([name, { defaultValue }]) => [name, defaultValue]),
) as Pick<LinkRow, LinkFieldName>

/** Fields whose columns store the value from the request unchanged. */
const plainFields = linkFieldNames.filter((name) => name !== 'tags' && name !== 'expires_at')

export function newRow(fields: CreateLink, slug: string, id = newId()): LinkRow {
  const createdAt = getIdTime(id)
  return {
    id,
    slug,
    ...defaultValues,
    ...getColumnValues(fields, createdAt),
    url: fields.url,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
    total: '0',
    human: '0',
    last_clicked_at: null,
  }
}

/** Applies a merge patch. Returns the same object if nothing changes. */
export function updateRow(link: LinkRow, patch: UpdateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...getColumnValues(patch, now) }, now)
}

/** Like `updateRow`, but resets absent fields to their defaults. The slug and the counts stay. */
export function replaceRow(link: LinkRow, fields: CreateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...defaultValues, ...getColumnValues(fields, now) }, now)
}

/** Returns the old values of the fields that differ. */
export function getPreviousValues(before: LinkDto, after: LinkDto): Partial<LinkFields> {
  const changed = linkFieldNames.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}

/** Returns the columns of the fields that are present. */
function getColumnValues(fields: UpdateLink, now: Date): Partial<LinkRow> {
  const expiresAt = getExpiry(fields, now)
  return {
    ...Object.fromEntries(
      plainFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(fields.tags === undefined ? {} : { tags: withoutDuplicates(fields.tags) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }
}

function withoutDuplicates(tags: readonly string[] | null): string[] {
  return [...new Set(tags ?? [])]
}

/** Returns undefined if the expiry is not part of the fields, and null if the fields clear the expiry. */
function getExpiry({ expires_at, expires_in }: UpdateLink, now: Date): Date | null | undefined {
  if (expires_at != null) return new Date(expires_at)
  if (expires_in != null) return addDuration(now, expires_in)
  return expires_at === null || expires_in === null ? null : undefined
}

function asNewVersion(before: LinkRow, after: LinkRow, now: Date): LinkRow {
  if (JSON.stringify(after) === JSON.stringify(before)) return before
  after.updated_at = getNextVersionTime(before.updated_at, now.getTime())
  return after
}
