/**
 * How far a run has come, as one text from which a later run can start. The API's cursors stand between pages, so a
 * place inside a page is the cursor before the page and the id of the last finished item in it. A count would not do:
 * when old items are removed from the front of the page, it would skip as many new ones.
 */
export interface ReachedPlace {
  cursor: string
  /** The id of the last finished item after the cursor, or null if none is finished. */
  last: string | null
}

export interface Position {
  /** How many events were sent or tried. The `webhook-sequence` of the next one is one more. */
  sequence: number
  /** Null for a feed that was never followed. */
  events: ReachedPlace | null
  clicks: ReachedPlace | null
}

const version = 1

export function encodePosition({ sequence, events, clicks }: Position): string {
  const places = [events, clicks].map((place) => place && [place.cursor, place.last])
  return Buffer.from(JSON.stringify([version, sequence, ...places])).toString('base64url')
}

/** Null for a text that no run has printed. */
export function decodePosition(text: string): Position | null {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== version) return null
    const [, sequence, events, clicks] = parts as unknown[]
    if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) return null
    return { sequence: sequence as number, events: placeOf(events), clicks: placeOf(clicks) }
  } catch {
    return null
  }
}

/** The unfinished items of a page. If the last finished item is gone, these are all: better twice than never. */
export function restOf<T extends { id: string }>(page: readonly T[], last: string | null): T[] {
  return page.slice(page.findIndex(({ id }) => id === last) + 1)
}

function placeOf(part: unknown): ReachedPlace | null {
  if (part === null) return null
  const [cursor, last] = part as unknown[]
  if (typeof cursor !== 'string' || (last !== null && typeof last !== 'string')) throw new TypeError()
  return { cursor, last }
}
