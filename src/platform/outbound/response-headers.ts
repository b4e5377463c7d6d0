/** What is kept of the headers of an answer. */
import { plainLine } from './safe-text.js'

const mostHeaders = 100
const longestValue = 1000
const mostCharacters = 8 * 1024

export type KeptHeaders = Record<string, string>

/** From names and values as they came, one after the other. Names become lower-case, repeated ones are joined. */
export function keptHeaders(raw: readonly Buffer[]): KeptHeaders {
  // Without a prototype: a receiver may well send `constructor` or `__proto__`.
  const kept = Object.create(null) as KeptHeaders
  let [count, characters] = [0, 0]
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toString('latin1').toLowerCase()
    const value = plainLine(raw[i + 1]!.toString('latin1'), longestValue)
    const before = kept[name]
    const joined = before === undefined ? value : plainLine(`${before}, ${value}`, longestValue)
    characters += joined.length - (before === undefined ? -name.length : before.length)
    if (characters > mostCharacters) break
    kept[name] = joined
    if (before === undefined && ++count === mostHeaders) break
  }
  return kept
}
