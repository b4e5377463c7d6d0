/**
 * The exports that the import understands. A format is recognised by its columns, in CSV by the header and in NDJSON by
 * the keys of the first line. Names of columns are compared without case, spaces and punctuation.
 */
import {
  asIs,
  flag,
  list,
  notFlag,
  number,
  slugOfPath,
  slugOfShortLink,
  time,
  title,
  trimmed,
} from './values.js'
import type { ReadValue } from './values.js'
import type { Container, FormatName } from '../../link-fields.js'
import { linkFields } from '../../link-fields.dto.js'
import type { FieldDocumentation, LinkFieldName } from '../../link-fields.dto.js'

/** `password` is read only to refuse links that have one, because here everybody could open them. */
type Field = LinkFieldName | 'slug' | 'expires_in' | 'password'

export interface LinkColumn {
  field: Field
  read: ReadValue
}

export interface Format {
  /** A file has this format when it has all columns of one of these lists. */
  recognisedBy: readonly (readonly string[])[]
  /** The columns by their plain names. If several columns give the same field, the first with a value counts. */
  columns: Readonly<Record<string, LinkColumn>>
}

export function plainName(column: string): string {
  return column.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Columns that several services have under names of their own. */
const target: LinkColumn = { field: 'url', read: trimmed }
const path: LinkColumn = { field: 'slug', read: slugOfPath }
const shortLink: LinkColumn = { field: 'slug', read: slugOfShortLink }
const label: LinkColumn = { field: 'title', read: title }
const tags: LinkColumn = { field: 'tags', read: list(',') }
const expiry: LinkColumn = { field: 'expires_at', read: time }

const own: Format = {
  recognisedBy: [['url']],
  columns: {
    ...Object.fromEntries(
      [...linkFields].map(([field, { documentation }]) => [
        plainName(field),
        { field, read: readerOf(documentation) },
      ]),
    ),
    url: target,
    slug: { field: 'slug', read: trimmed },
    expiresin: { field: 'expires_in', read: trimmed },
  },
}

function readerOf({ type, isArray, format }: FieldDocumentation): ReadValue {
  if (isArray) return list(',')
  if (type === Boolean) return flag
  if (type === 'integer') return number
  return format === 'date-time' ? trimmed : asIs
}

/** JSON has types of its own, so each value is taken as in the call that creates one link. */
const ownJson: Format = {
  ...own,
  columns: Object.fromEntries(
    Object.entries(own.columns).map(([name, { field }]) => [name, { field, read: (value) => value }]),
  ),
}

/** The fields of a link in the API, version 4, which its exports carry too: https://dev.bitly.com/api-reference. */
const bitly: Format = {
  recognisedBy: [
    ['longurl', 'link'],
    ['longurl', 'id'],
    ['longurl', 'bitlink'],
  ],
  columns: {
    longurl: target,
    link: shortLink,
    bitlink: shortLink,
    id: shortLink,
    title: label,
    tags,
  },
}

/**
 * dubinc/dub: `LinkSchema` in apps/web/lib/zod/schemas/links.ts has the fields, which the API gives and older exports
 * carry; newer exports have the labels of apps/web/lib/links/links-display.ts (`Short link`, `Destination URL`).
 */
const dub: Format = {
  recognisedBy: [
    ['shortlink', 'destinationurl'],
    ['shortlink', 'url'],
    ['domain', 'key', 'url'],
  ],
  columns: {
    url: target,
    destinationurl: target,
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

/** thedevs-network/kutt: the output of `sanitize.link` in server/utils/utils.js, and the columns of the table links. */
const kutt: Format = {
  recognisedBy: [['address', 'target']],
  columns: {
    target,
    address: path,
    description: label,
    expirein: expiry,
    banned: { field: 'enabled', read: notFlag },
    password: { field: 'password', read: (value) => (flag(value) === false ? undefined : asIs(value)) },
  },
}

/**
 * shlinkio/shlink-web-component: src/short-urls/helpers/ExportShortUrlsBtn.tsx writes the CSV; the API's own fields are
 * those that shlinkio/shlink-importer reads in src/Sources/ShlinkApi/ShlinkApiImporter.php.
 */
const shlink: Format = {
  recognisedBy: [['shortcode', 'longurl']],
  columns: {
    longurl: target,
    shortcode: path,
    title: label,
    tags: { field: 'tags', read: list('|') },
    validuntil: expiry,
    meta: { field: 'expires_at', read: validUntilOf },
  },
}

/**
 * The table url of YOURLS/YOURLS (keyword, url, title, …), what its API gives out (shorturl, …), and the CSV of
 * GautamGupta/YOURLS-Import-Export, fileio/csv.php (source, target, hits).
 */
const yourls: Format = {
  recognisedBy: [
    ['keyword', 'url'],
    ['source', 'target'],
    ['shorturl', 'url', 'timestamp'],
  ],
  columns: {
    url: target,
    target,
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

/** The formats of other services come first, because nearly every export has the column `url`. */
const inOrder = ['shlink', 'bitly', 'kutt', 'yourls', 'dub'] as const

/** Null when the columns belong to no known format. */
export function recognise(columns: readonly string[], container: Container): FormatName | null {
  const names = new Set(columns.map(plainName))
  // Only this service's own format has the column `slug`.
  const candidates = names.has('slug') ? [container] : [...inOrder, container]
  return candidates.find((name) => isOf(names, formats[name])) ?? null
}

export function isOf(names: ReadonlySet<string>, { recognisedBy }: Format): boolean {
  return recognisedBy.some((needed) => needed.every((name) => names.has(name)))
}

function validUntilOf(value: unknown): unknown {
  const { validUntil } = (value ?? {}) as { validUntil?: unknown }
  return time(validUntil ?? null)
}
