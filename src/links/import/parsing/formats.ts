/**
 * The formats that can be imported. A format is recognized by its columns: the header row of CSV, or the keys of the
 * first object of NDJSON. Column names are compared without case, spaces and punctuation.
 */
import {
  asIs,
  flag,
  list,
  notFlag,
  number,
  parsePathSlug,
  parseShortLinkSlug,
  time,
  title,
  trimmed,
} from './values.js'
import type { ReadValue } from './values.js'
import type { Container, FormatName } from '../../link-fields.js'
import { linkFields } from '../../link-fields.dto.js'
import type { FieldDocumentation, LinkFieldName } from '../../link-fields.dto.js'

/** `password` is read only to reject links with a password, which would be open to everybody here. */
type Field = LinkFieldName | 'slug' | 'expires_in' | 'password'

export interface LinkColumn {
  field: Field
  read: ReadValue
}

export interface Format {
  /** A file has this format if it has all columns of one of these lists. */
  recognizedBy: readonly (readonly string[])[]
  /** Columns by their normalized names. If several columns map to a field, the first one with a value is used. */
  columns: Readonly<Record<string, LinkColumn>>
}

export function normalizedName(column: string): string {
  return column.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

// Columns that several services have under different names.
const destination: LinkColumn = { field: 'url', read: trimmed }
const path: LinkColumn = { field: 'slug', read: parsePathSlug }
const shortLink: LinkColumn = { field: 'slug', read: parseShortLinkSlug }
const label: LinkColumn = { field: 'title', read: title }
const tags: LinkColumn = { field: 'tags', read: list(',') }
const expiry: LinkColumn = { field: 'expires_at', read: time }

const own: Format = {
  recognizedBy: [['url']],
  columns: {
    ...Object.fromEntries(
      [...linkFields].map(([field, { documentation }]) => [
        normalizedName(field),
        { field, read: getFieldReader(documentation) },
      ]),
    ),
    url: destination,
    slug: { field: 'slug', read: trimmed },
    expiresin: { field: 'expires_in', read: trimmed },
  },
}

function getFieldReader({ type, isArray, format }: FieldDocumentation): ReadValue {
  if (isArray) return list(',')
  if (type === Boolean) return flag
  if (type === 'integer') return number
  return format === 'date-time' ? trimmed : asIs
}

/** JSON values are used unchanged, as in a request that creates a link. */
const ownJson: Format = {
  ...own,
  columns: Object.fromEntries(
    Object.entries(own.columns).map(([name, { field }]) => [name, { field, read: (value) => value }]),
  ),
}

/** The fields of a link in version 4 of the API, also used by exports: https://dev.bitly.com/api-reference. */
const bitly: Format = {
  recognizedBy: [
    ['longurl', 'link'],
    ['longurl', 'id'],
    ['longurl', 'bitlink'],
  ],
  columns: {
    longurl: destination,
    link: shortLink,
    bitlink: shortLink,
    id: shortLink,
    title: label,
    tags,
  },
}

/**
 * dubinc/dub: the API and older exports use the fields of `LinkSchema` in apps/web/lib/zod/schemas/links.ts. Newer
 * exports use the labels of apps/web/lib/links/links-display.ts, such as `Short link` and `Destination URL`.
 */
const dub: Format = {
  recognizedBy: [
    ['shortlink', 'destinationurl'],
    ['shortlink', 'url'],
    ['domain', 'key', 'url'],
  ],
  columns: {
    url: destination,
    destinationurl: destination,
    key: path,
    shortlink: shortLink,
    title: label,
    comments: { field: 'note', read: asIs },
    tags,
    externalid: { field: 'external_id', read: asIs },
    expiresat: expiry,
    password: { field: 'password', read: asIs },
    passwordenabledat: { field: 'password', read: asIs },
  },
}

/** thedevs-network/kutt: the output of `sanitize.link` in server/utils/utils.js, and the columns of the links table. */
const kutt: Format = {
  recognizedBy: [['address', 'target']],
  columns: {
    target: destination,
    address: path,
    description: label,
    expirein: expiry,
    banned: { field: 'enabled', read: notFlag },
    password: { field: 'password', read: (value) => (flag(value) === false ? undefined : asIs(value)) },
  },
}

/**
 * shlinkio/shlink-web-component: src/short-urls/helpers/ExportShortUrlsBtn.tsx writes the CSV. The fields of the API
 * are those in shlinkio/shlink-importer, src/Sources/ShlinkApi/ShlinkApiImporter.php.
 */
const shlink: Format = {
  recognizedBy: [['shortcode', 'longurl']],
  columns: {
    longurl: destination,
    shortcode: path,
    title: label,
    tags: { field: 'tags', read: list('|') },
    validuntil: expiry,
    meta: { field: 'expires_at', read: parseValidUntil },
  },
}

/**
 * YOURLS/YOURLS: the columns of the url table (keyword, url, title, …), the fields of the API (shorturl, …), and the
 * CSV of GautamGupta/YOURLS-Import-Export, fileio/csv.php (source, target, hits).
 */
const yourls: Format = {
  recognizedBy: [
    ['keyword', 'url'],
    ['source', 'target'],
    ['shorturl', 'url', 'timestamp'],
  ],
  columns: {
    url: destination,
    target: destination,
    keyword: path,
    source: path,
    shorturl: shortLink,
    title: label,
  },
}

export const formats: Record<FormatName, Format> = {
  csv: own,
  ndjson: ownJson,
  bitly,
  dub,
  kutt,
  shlink,
  yourls,
}

/** Checked before the native formats, because nearly every export has the column `url`. */
const serviceFormats = ['shlink', 'bitly', 'kutt', 'yourls', 'dub'] as const

/** Returns null if the columns are not those of a known format. */
export function recognizeFormat(columns: readonly string[], container: Container): FormatName | null {
  const names = new Set(columns.map(normalizedName))
  // Only the native formats have the column `slug`.
  const candidates = names.has('slug') ? [container] : [...serviceFormats, container]
  return candidates.find((name) => hasFormat(names, formats[name])) ?? null
}

export function hasFormat(names: ReadonlySet<string>, { recognizedBy }: Format): boolean {
  return recognizedBy.some((needed) => needed.every((name) => names.has(name)))
}

function parseValidUntil(value: unknown): unknown {
  const { validUntil } = (value ?? {}) as { validUntil?: unknown }
  return time(validUntil ?? null)
}
