/** Parses a JSON object in UTF-8. Rejects duplicate keys and too many values. */
import { Problem } from '../problems/problem.js'

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object, or null if the text is not a JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** The largest valid request has about 30,000 values. Parsing millions would block all other requests. */
const maxValues = 200_000

export function parseStrictJson(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0)
    throw new Problem('invalid_json', { detail: 'The body is empty. Send a JSON object.' })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_json', {
      detail: 'The body is not valid UTF-8. Encode the JSON in UTF-8.',
    })
  }
  refuseTooMany(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', {
      detail: 'The body is not valid JSON. Check quotes, commas and brackets.',
    })
  }
  if (!isJsonObject(value))
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '',
          code: 'not_an_object',
          detail: 'The body must be a JSON object. Send {…} with the fields of the operation.',
        },
      ],
    })
  const repeated = firstRepeatedKey(text)
  if (repeated !== null)
    throw new Problem('invalid_json', {
      detail: `The key ${JSON.stringify(repeated.slice(0, 64))} occurs twice in one object. Send each key once.`,
    })
  return value
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const openBracket = 0x5b
const openBrace = 0x7b
const closeBrace = 0x7d

/** Throws if the text has too many values at any depth. Runs before parsing, so the text may be invalid JSON. */
function refuseTooMany(text: string): void {
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = findStringEnd(text, at) - 1
    else if (character === comma || character === openBrace || character === openBracket) values++
  }
  if (values > maxValues)
    throw new Problem('invalid_json', {
      detail: `The body has more than ${maxValues.toLocaleString('en')} values. Send fewer.`,
    })
}

/**
 * Returns the first key that an object has twice, or null. The text must be valid JSON. Reads it character by
 * character, because a regular expression overflows the stack on a string with millions of escapes.
 */
export function firstRepeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === openBrace) open.push(new Set())
    else if (character === closeBrace) open.pop()
    else if (character === quote) {
      const end = findStringEnd(text, at)
      if (skipSpace(text, end) === colon) {
        const name = JSON.parse(text.slice(at, end)) as string
        const seen = open.at(-1)
        if (seen?.has(name)) return name
        seen?.add(name)
      }
      at = end - 1
    }
  }
  return null
}

/** Returns the index after the closing quote, or after the text if there is none. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1
  for (let character; at < text.length && (character = text.charCodeAt(at)) !== quote;)
    at += character === backslash ? 2 : 1
  return at + 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at)
}

/** JSON allows only these four whitespace characters. */
function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09
}
