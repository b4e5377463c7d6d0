/**
 * `q` finds its text anywhere in a slug, url or title. The index of words needs three letters or digits in a row. For
 * shorter text, more of the next links are checked one by one. Among the links after them, the index finds only what
 * it can.
 */

/** Exactly the expression of the index `links_by_words`, so that PostgreSQL uses the index. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

// Only ASCII: PostgreSQL uses the index of words for a pattern only if it can list all characters of its classes.
const signs = ' -/:-@\\[-`{-~\\n'
const character = `[a-z0-9${signs}]`

/** How many links are checked one by one for text that is too short for the index. By clicks this takes about 80 ms. */
export const mostWithoutIndex = 10_000

export interface Search {
  /** Conditions that read the parameters `:text` and `:pattern`. */
  exact: string
  /** The condition for the links after those checked one by one; null when the index cannot find the text. */
  behind: string | null
  /** As `behind`, with the text hidden from the planner, which would not use the index for a common word. */
  unseen?: string
  /** Whether `behind` finds everything that `exact` finds. */
  isIndexed: boolean
  text: string
  pattern?: string
}

export function searchFor(q: string): Search {
  const exact = `${searchedText} ILIKE :text`
  const text = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  if (/[a-z0-9]{3}/i.test(q))
    return {
      exact,
      behind: exact,
      unseen: `${searchedText} ILIKE (SELECT :text::text)`,
      isIndexed: true,
      text,
    }
  // In other scripts words may have only one or two letters. If the index cannot find such a word, all links are read.
  if (/\p{L}/u.test(q) && !/[a-z0-9]/i.test(q)) return { exact, behind: exact, isIndexed: true, text }
  const pattern = patternOf(q)
  return pattern === null
    ? { exact, behind: null, isIndexed: false, text }
    : { exact, behind: `${searchedText} ~* :pattern`, isIndexed: false, text, pattern }
}

/**
 * Two letters and one of their neighbors make the three characters that the index needs. A single letter is found only
 * where it begins a word. Signs alone are in no index.
 */
function patternOf(q: string): string | null {
  if (!/[a-z0-9]/i.test(q)) return null
  const literal = q.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  if (/[a-z0-9].*[a-z0-9]/i.test(q)) return `${character}${literal}|${literal}${character}`
  return /^[a-z0-9]/i.test(q) ? `(^|[${signs}])${literal}` : literal
}
