/** Limits and enum values of link fields. Imports nothing, because commands load this file too. */
export const maxLength = { title: 300, note: 2000, externalId: 255, tag: 50 } as const

export const maxTags = 20

export const redirectStatuses = [301, 302, 307, 308] as const

/** Sort orders of a list of links. */
export const linkSorts = ['created_at', '-created_at', '-clicks'] as const

/**
 * How to handle a slug or external ID that already exists in the workspace: `fail` reports an error, `skip` leaves the
 * existing link unchanged, and `update` updates it with the given fields.
 */
export const conflictModes = ['fail', 'skip', 'update'] as const
export type ConflictMode = (typeof conflictModes)[number]

export const containers = ['csv', 'ndjson'] as const
export type Container = (typeof containers)[number]

/** File formats of imports: `csv` and `ndjson` with the field names of links, and exports of other services. */
export const formatNames = [...containers, 'bitly', 'dub', 'kutt', 'shlink', 'yourls'] as const
export type FormatName = (typeof formatNames)[number]
