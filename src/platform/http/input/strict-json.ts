/** Parses only JSON that is UTF-8, has an object at the top, no key twice in an object, and not too many values. */
import { Problem } from '../problems/problem.js'

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null for a text that is no JSON, or no object. */
export function jsonObjectIn(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/**
 * The largest call of use, a thousand objects, has about 30,000 values. Millions fit into as many bytes, and would hold
 * up all other requests.
 */
const mostValues = 200_000

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
      detail: 'The body breaks the grammar of JSON. Check quotes, commas and brackets.',
    })
  }
  if (!isJsonObject(value))
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '',
          code: 'not_an_object',
          detail: 'The body is JSON, but not an object. Send {…} with the fields of the operation.',
        },
      ],
    })
  const repeated = firstRepeatedKey(text)
  if (repeated !== null)
    throw new Problem('invalid_json', {
      detail: `The key ${JSON.stringify(repeated.slice(0, 64))} stands twice in one object. Send each key once.`,
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

/** Counts the values before the text is parsed, so it need not be JSON. Objects and lists count too, at every depth. */
function refuseTooMany(text: string): void {
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at) - 1
    else if (character === comma || character === openBrace || character === openBracket) values++
  }
  if (values > mostValues)
    throw new Problem('invalid_json', {
      detail: `The body has more than ${mostValues.toLocaleString('en')} values. Send what the operation describes, and no more.`,
    })
}

/**
 * Works on text that JSON.parse has accepted, so it only has to tell keys from other strings. It reads character by
 * character: a pattern for strings runs out of stack on a string of some million escapes.
 */
export function firstRepeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === openBrace) open.push(new Set())
    else if (character === closeBrace) open.pop()
    else if (character === quote) {
      const end = endOfString(text, at)
      if (nextThatIsNoSpace(text, end) === colon) {
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

/** The index after the quote that ends the string, or after the text if there is no such quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let character; at < text.length && (character = text.charCodeAt(at)) !== quote;)
    at += character === backslash ? 2 : 1
  return at + 1
}

function nextThatIsNoSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at)
}

/** JSON knows these four only. */
function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09
}
