/**
 * Searches the slug, URL and title of links. The index holds groups of three characters, so it needs three letters or
 * digits in a row; for shorter text it finds what it can.
 */

/** Exactly the expression of the index `links_by_words`, so that PostgreSQL uses the index. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

// ASCII only: PostgreSQL uses the index for a pattern only if it can list all characters of its classes.
const signs = ' -/:-@\\[-`{-~\\n'
const character = `[a-z0-9${signs}]`

interface Condition {
  /** SQL with one `?`, which stands for `value`. */
  text: string
  value: string
}

export interface LinkSearch {
  exact: Condition
  /** The condition that the index can check; null if it cannot find the text. */
  byIndex: Condition | null
}

export function searchFor(q: string): LinkSearch {
  const exact = { text: `${searchedText} ILIKE ?`, value: `%${q.replace(/[\\%_]/g, '\\$&')}%` }
  // In other scripts, words may have only one or two letters. If the index cannot find one, all links are read.
  const isIndexed = /[a-z0-9]{3}/i.test(q) || (/\p{L}/u.test(q) && !/[a-z0-9]/i.test(q))
  if (isIndexed) return { exact, byIndex: exact }
  const pattern = patternFor(q)
  return { exact, byIndex: pattern === null ? null : { text: `${searchedText} ~* ?`, value: pattern } }
}

/**
 * Two letters and a neighbor make the three characters that the index needs. A single letter is found only where it
 * begins a word. Punctuation alone is in no index.
 */
function patternFor(q: string): string | null {
  if (!/[a-z0-9]/i.test(q)) return null
  const literal = q.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  if (/[a-z0-9].*[a-z0-9]/i.test(q)) return `${character}${literal}|${literal}${character}`
  return /^[a-z0-9]/i.test(q) ? `(^|[${signs}])${literal}` : literal
}
