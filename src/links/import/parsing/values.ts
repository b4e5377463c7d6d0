/** Converts cells and JSON values for the fields of a link. Values that it cannot convert are left to `LinkRules`. */
import { maxLength } from '../../link-fields.js'

/** Undefined when the cell or value is empty. */
export type ReadValue = (value: unknown) => unknown

export const asIs: ReadValue = (value) => (value === '' || value === null ? undefined : value)

export const trimmed: ReadValue = (value) => asIs(typeof value === 'string' ? value.trim() : value)

export const flag: ReadValue = (value) => {
  const given = trimmed(value)
  if (typeof given !== 'string') return given
  const word = given.toLowerCase()
  if (['true', '1', 'yes'].includes(word)) return true
  if (['false', '0', 'no'].includes(word)) return false
  return given
}

export const notFlag: ReadValue = (value) => {
  const given = flag(value)
  return typeof given === 'boolean' ? !given : given
}

export const number: ReadValue = (value) => {
  const given = trimmed(value)
  return typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given
}

/** A JSON list, or words with a separator between them. Other services give lists of objects with a name, too. */
export function list(separator: string): ReadValue {
  return (value) => {
    const given = trimmed(value)
    if (Array.isArray(given)) return given.map(nameOf)
    if (typeof given !== 'string') return given
    if (given.startsWith('[')) return listOf(given) ?? given
    const words = given.split(separator).map((word) => word.trim())
    return words.filter((word) => word !== '')
  }
}

/** A label for people. Other services allow longer titles and line breaks, so it is cut and put on one line. */
export const title: ReadValue = (value) => {
  const given = asIs(value)
  if (typeof given !== 'string') return given
  const characters = Array.from(given.replace(/\p{Cc}+/gu, ' ').trim())
  return characters.length === 0 ? undefined : characters.slice(0, maxLength.title).join('')
}

/** Databases write times without a zone. The services that make these exports keep times in UTC. */
export const time: ReadValue = (value) => {
  const given = trimmed(value)
  if (typeof given !== 'string') return given
  const [, date, clock] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/.exec(given) ?? []
  if (date !== undefined && clock !== undefined) return `${date}T${clock}Z`
  return given.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
}

/** What follows the host in a short link, with or without `https://` before it. */
export const slugOfShortLink: ReadValue = (value) => {
  const given = trimmed(value)
  if (typeof given !== 'string') return given
  const path = /^(?:[a-z]+:\/\/)?[^/?#]+\/([^?#]*)/i.exec(given)?.[1]
  return path === undefined ? given : slugOfPath(path)
}

export const slugOfPath: ReadValue = (value) => {
  const given = trimmed(value)
  if (typeof given !== 'string') return given
  const path = withoutSlashesAtEnds(given)
  try {
    return asIs(decodeURIComponent(path))
  } catch {
    return asIs(path)
  }
}

/** Character by character, because a pattern that ends with `+$` takes quadratic time on a text full of slashes. */
function withoutSlashesAtEnds(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '/') start++
  while (start < end && text[end - 1] === '/') end--
  return text.slice(start, end)
}

function nameOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : value
}

function listOf(text: string): unknown[] | null {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.map(nameOf) : null
  } catch {
    return null
  }
}
