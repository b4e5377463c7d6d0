/**
 * Position in a feed. An API cursor points between pages, so a position inside a page is the cursor before the
 * page and the ID of the last finished item. A count would be wrong after retention deletes items of the page.
 */
export interface FeedPosition {
  cursor: string
  /** ID of the last finished item after the cursor, or null. */
  last: string | null
}

/** Progress of a run, from which a later run can continue. */
export interface Position {
  /** Number of events sent so far, including failed ones. The next `webhook-sequence` is one more. */
  sequence: number
  /** Null for a feed that the run does not follow. */
  events: FeedPosition | null
  clicks: FeedPosition | null
}

const version = 1

export function encodePosition({ sequence, events, clicks }: Position): string {
  const feeds = [events, clicks].map((feed) => feed && [feed.cursor, feed.last])
  return Buffer.from(JSON.stringify([version, sequence, ...feeds])).toString('base64url')
}

/** Returns null if the text is not an encoded position. */
export function decodePosition(text: string): Position | null {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== version) return null
    const [, sequence, events, clicks] = parts as unknown[]
    if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) return null
    return {
      sequence: sequence as number,
      events: parseFeedPosition(events),
      clicks: parseFeedPosition(clicks),
    }
  } catch {
    return null
  }
}

/** Returns the items of a page after the last finished item, or all items if that item was deleted. */
export function unfinishedItems<T extends { id: string }>(page: readonly T[], last: string | null): T[] {
  return page.slice(page.findIndex(({ id }) => id === last) + 1)
}

function parseFeedPosition(part: unknown): FeedPosition | null {
  if (part === null) return null
  const [cursor, last] = part as unknown[]
  if (typeof cursor !== 'string' || (last !== null && typeof last !== 'string')) throw new TypeError()
  return { cursor, last }
}
