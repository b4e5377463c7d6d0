/** Follows feeds that never end. A consumer that resumes from its last cursor misses no rows. */
import type { CallOptions } from './options.js'
import { pause } from './retry.js'

export interface FeedPage<T> {
  data: T[]
  has_more: boolean
  next_cursor: string
}

export interface FollowOptions extends CallOptions {
  /** The cursor of the last handled row. '' starts with the oldest row, 'latest' with new rows. */
  after?: string | undefined
  /** The maximum delay between polls; 5 seconds by default. */
  pollMs?: number | undefined
}

export interface FollowedRow<T> {
  item: T
  /** Store the cursor after handling the row, and pass it as `after` to the next run. */
  cursor: string
}

const firstPollMs = 500
const defaultPollMs = 5_000
/** Separates the cursor of a page from the ID of the last handled row on that page. */
const separator = '~'

/**
 * Yields the rows of a feed until the signal aborts. `read` must always use the same page size, so that a page contains
 * the same rows again. After the first page, temporary failures are retried forever.
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

/** Returns the rows after `last`, or all rows if retention has removed it: duplicates are better than a gap. */
function rowsAfter<T extends { id: string }>(page: readonly T[], last: string | undefined): T[] {
  return page.slice(page.findIndex(({ id }) => id === last) + 1)
}
