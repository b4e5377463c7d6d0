/** The values of a link's fields, as creating, changing and replacing a link make them from the input. */
import { endOf } from '../platform/config/duration.js'
import { newId, timeOf } from '../platform/database/ids.js'
import { timeOfNextVersion } from '../platform/http/resource-headers.js'
import { currentTime } from '../platform/util/clock.js'
import { linkFieldNames, linkFields } from './link-fields.dto.js'
import type { LinkFieldName } from './link-fields.dto.js'
import type { CreateLink, UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'

const initialValues = Object.fromEntries(
  [...linkFields].map(([name, { initially }]) => [name, initially]),
) as Pick<LinkRow, LinkFieldName>

/** Their columns have the form in which they come. */
const plainFields = linkFieldNames.filter((name) => name !== 'tags' && name !== 'expires_at')

export function newLink(fields: CreateLink, slug: string, id = newId()): LinkRow {
  const createdAt = timeOf(id)
  return {
    id,
    slug,
    ...initialValues,
    ...valuesOf(fields, createdAt),
    url: fields.url,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
    total: '0',
    human: '0',
    last_clicked_at: null,
  }
}

/** The link after a merge patch. Returns the same object when the patch changes nothing. */
export function changed(link: LinkRow, patch: UpdateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...valuesOf(patch, now) }, now)
}

/** Like `changed`, but absent fields return to their defaults. The slug and the counts stay. */
export function replaced(link: LinkRow, fields: CreateLink): LinkRow {
  const now = currentTime()
  return asNewVersion(link, { ...link, ...initialValues, ...valuesOf(fields, now) }, now)
}

/** The columns of the fields that came. */
function valuesOf(fields: UpdateLink, now: Date): Partial<LinkRow> {
  const expiresAt = expiryOf(fields, now)
  return {
    ...Object.fromEntries(
      plainFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(fields.tags === undefined ? {} : { tags: withoutRepetitions(fields.tags) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  }
}

function withoutRepetitions(tags: readonly string[] | null): string[] {
  return [...new Set(tags ?? [])]
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
