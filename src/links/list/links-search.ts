/**
 * What `q` finds: its text, wherever it stands. The index of words knows three letters or digits in a row. Of less it
 * knows too little: then more of the next links are looked through one by one, and of those behind them the index finds
 * what it can.
 */

/** As in the index `links_by_words`, to the letter. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

// Only ASCII: PostgreSQL takes a pattern to the index of words only where it can name every sign.
const signs = ' -/:-@\\[-`{-~\\n'
const character = `[a-z0-9${signs}]`

/** How many links are looked through for what the index knows too little of: by clicks eighty milliseconds or so. */
export const mostWithoutIndex = 10_000

export interface Search {
  /** Conditions that read the parameters `:text` and `:pattern`. */
  exact: string
  /** What is found of it behind the links that are looked through; null for nothing. */
  behind: string | null
  /** The same of a word that the index knows, but hidden from the planner, which would not ask the index for a common one. */
  unseen?: string
  /** Whether nothing that it says escapes the index. */
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
  // In other scripts words may have a letter or two. Where the index does not know them, all links are read.
  if (/\p{L}/u.test(q) && !/[a-z0-9]/i.test(q)) return { exact, behind: exact, isIndexed: true, text }
  const pattern = patternOf(q)
  return pattern === null
    ? { exact, behind: null, isIndexed: false, text }
    : { exact, behind: `${searchedText} ~* :pattern`, isIndexed: false, text, pattern }
}

/** Two letters are three with one of their neighbours. One letter has to begin a word, and signs are in no index. */
function patternOf(q: string): string | null {
  if (!/[a-z0-9]/i.test(q)) return null
  const literal = q.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  if (/[a-z0-9].*[a-z0-9]/i.test(q)) return `${character}${literal}|${literal}${character}`
  return /^[a-z0-9]/i.test(q) ? `(^|[${signs}])${literal}` : literal
}
