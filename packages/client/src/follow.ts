/** The feeds, row by row and without an end. A consumer that keeps the last cursor misses no row. */
import type { CallOptions } from './options.js'
import { pause } from './retry.js'

export interface FeedPage<T> {
  data: T[]
  has_more: boolean
  next_cursor: string
}

export interface FollowOptions extends CallOptions {
  /** The cursor of the last row that was handled; '' begins at the oldest, 'latest' with what comes from now on. */
  after?: string | undefined
  /** The longest pause when there is nothing new; 5 seconds by default. */
  pollMs?: number | undefined
}

export interface FollowedRow<T> {
  item: T
  /** Keep it once the row is handled, and give it as `after` to the next run. */
  cursor: string
}

const firstPollMs = 500
const defaultPollMs = 5_000
/** Separates the service's cursor, which stands between pages, from the id of the last row handled after it. */
const separator = '~'

/**
 * `read` must always ask for pages of one size, because a row is found again only in the page in which it was.
 * The signal ends the feed. Once a first page was read, temporary failures are retried without end.
 */
export async function* follow<T extends { id: string }>(
  read: (after: string, options: CallOptions) => Promise<FeedPage<T>>,
  { after = '', pollMs = defaultPollMs, signal, ...options }: FollowOptions,
): AsyncGenerator<FollowedRow<T>, void, undefined> {
  let [cursor = '', last] = after.split(separator)
  let waitMs = firstPollMs
  let retries = options
  try {
    for (;;) {
      const page = await read(cursor, { ...retries, signal })
      retries = { ...options, maxRetries: Infinity }
      const rows = rowsAfter(page.data, last)
      for (const [index, item] of rows.entries()) {
        if (signal?.aborted) return
        const isLast = index === rows.length - 1
        yield { item, cursor: isLast ? page.next_cursor : cursor + separator + item.id }
      }
      cursor = page.next_cursor
      last = undefined
      if (page.has_more) continue
      waitMs = rows.length > 0 ? firstPollMs : Math.min(waitMs * 2, pollMs)
      await pause(Math.min(waitMs, pollMs), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** If retention has removed the last row, the whole page comes again: better twice than never. */
function rowsAfter<T extends { id: string }>(page: readonly T[], last: string | undefined): T[] {
  return page.slice(page.findIndex(({ id }) => id === last) + 1)
}
