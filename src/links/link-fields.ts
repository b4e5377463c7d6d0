/** The limits and words of links. This file imports nothing, because commands use it too. */
export const longest = { title: 300, note: 2000, externalId: 255, tag: 50 } as const

export const mostTags = 20

export const statuses = [301, 302, 307, 308] as const

/** The orders of a list of links. */
export const linkSorts = ['created_at', '-created_at', '-clicks'] as const

/**
 * What happens when a link of the workspace already has the slug or the external id. `fail` reports a fault, `skip`
 * leaves the link as it is, and `update` changes it by the fields that came.
 */
export const conflictModes = ['fail', 'skip', 'update'] as const
export type ConflictMode = (typeof conflictModes)[number]

export const containers = ['csv', 'ndjson'] as const
export type Container = (typeof containers)[number]

/** Whose export a file is. `csv` and `ndjson` are this service's own formats, with the names of its fields. */
export const formatNames = [...containers, 'bitly', 'dub', 'kutt', 'shlink', 'yourls'] as const
export type FormatName = (typeof formatNames)[number]
