/**
 * What `q` finds. The index knows three letters or digits in a row wherever they stand, and fewer where a word begins with
 * them. It knows nothing of signs: what is made of them alone is looked for link by link, and not without an end.
 */

/** As in the index `links_by_words`, to the letter. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

/**
 * Before the first letter of a word: the start, or a sign. Only ASCII, since PostgreSQL takes the condition to the index
 * of words only where it can name every sign.
 */
const wordBegins = '(^|[ -/:-@\\[-`{-~\\n])'

/** How many links are looked through for signs. */
export const mostWithoutIndex = 20_000

export interface Search {
  /** A condition that reads the parameter `:text`. */
  condition: string
  text: string
  isIndexed: boolean
}

export function searchFor(q: string): Search {
  const anywhere = { condition: `${searchedText} ILIKE :text`, text: `%${q.replace(/[\\%_]/g, '\\$&')}%` }
  if (/[a-z0-9]{3}/i.test(q)) return { ...anywhere, isIndexed: true }
  // In other scripts words may have a letter or two. Where the index does not know them, all links are read.
  if (!/[a-z0-9]/i.test(q)) return { ...anywhere, isIndexed: /\p{L}/u.test(q) }
  // A sign in front is a beginning by itself.
  const begin = /^[a-z0-9]/i.test(q) ? wordBegins : ''
  return {
    condition: `${searchedText} ~* :text`,
    text: `${begin}${q.replace(/[!-/:-@[-`{-~]/g, '\\$&')}`,
    isIndexed: true,
  }
}
