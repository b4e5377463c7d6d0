/** JSON as callers of an API mean it: UTF-8, an object at the top, and no key twice in one object. */
import { Problem } from './problem.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseStrictJson(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0)
    throw new Problem('invalid_json', { detail: 'The body is empty. Send a JSON object.' })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_json', { detail: 'The body is not valid UTF-8. Encode the JSON in UTF-8.' })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', {
      detail: 'The body breaks the grammar of JSON. Check quotes, commas and brackets.',
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
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
  return value as Record<string, unknown>
}

/** Works on text that JSON.parse has accepted, so it only has to tell keys from other strings. */
function firstRepeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (const [token, key] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (key !== undefined) {
      const name = JSON.parse(key) as string
      const seen = open.at(-1)
      if (seen?.has(name)) return name
      seen?.add(name)
    }
  }
  return null
}
