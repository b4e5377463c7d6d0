/** Converts cells and JSON values to field values of a link. Invalid values stay unchanged; `LinkRules` reports them. */
import { maxLength } from '../../link-fields.js'

/** Returns undefined for an empty cell or value. */
export type ReadValue = (value: unknown) => unknown

export const asIs: ReadValue = (value) => (value === '' || value === null ? undefined : value)

export const trimmed: ReadValue = (value) => asIs(typeof value === 'string' ? value.trim() : value)

export const flag: ReadValue = (value) => {
  const text = trimmed(value)
  if (typeof text !== 'string') return text
  const word = text.toLowerCase()
  if (['true', '1', 'yes'].includes(word)) return true
  if (['false', '0', 'no'].includes(word)) return false
  return text
}

export const notFlag: ReadValue = (value) => {
  const isSet = flag(value)
  return typeof isSet === 'boolean' ? !isSet : isSet
}

export const number: ReadValue = (value) => {
  const text = trimmed(value)
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text
}

/** Reads a JSON list, a list of objects with a name, or text with separators. */
export function list(separator: string): ReadValue {
  return (value) => {
    const text = trimmed(value)
    if (Array.isArray(text)) return text.map(getItemName)
    if (typeof text !== 'string') return text
    if (text.startsWith('[')) return parseJsonList(text) ?? text
    const words = text.split(separator).map((word) => word.trim())
    return words.filter((word) => word !== '')
  }
}

/** Shortens a title and replaces line breaks, because other services allow longer titles with several lines. */
export const title: ReadValue = (value) => {
  const text = asIs(value)
  if (typeof text !== 'string') return text
  const characters = Array.from(text.replace(/\p{Cc}+/gu, ' ').trim())
  return characters.length === 0 ? undefined : characters.slice(0, maxLength.title).join('')
}

/** Reads a time. Times without a zone are in UTC, as in the databases of the supported services. */
export const time: ReadValue = (value) => {
  const text = trimmed(value)
  if (typeof text !== 'string') return text
  const [, date, clock] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/.exec(text) ?? []
  if (date !== undefined && clock !== undefined) return `${date}T${clock}Z`
  return text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
}

/** Returns the path of a short URL, with or without a scheme. */
export const parseShortLinkSlug: ReadValue = (value) => {
  const text = trimmed(value)
  if (typeof text !== 'string') return text
  const path = /^(?:[a-z]+:\/\/)?[^/?#]+\/([^?#]*)/i.exec(text)?.[1]
  return path === undefined ? text : parsePathSlug(path)
}

export const parsePathSlug: ReadValue = (value) => {
  const text = trimmed(value)
  if (typeof text !== 'string') return text
  const path = trimSlashes(text)
  try {
    return asIs(decodeURIComponent(path))
  } catch {
    return asIs(path)
  }
}

/** Avoids a pattern that ends with `+$`, which takes quadratic time for a long run of slashes. */
function trimSlashes(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '/') start++
  while (start < end && text[end - 1] === '/') end--
  return text.slice(start, end)
}

function getItemName(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : value
}

function parseJsonList(text: string): unknown[] | null {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.map(getItemName) : null
  } catch {
    return null
  }
}
