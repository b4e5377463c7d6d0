/**
 * How far a run has come, as one text that a later run begins with. The API's cursors stand between pages, so a place
 * inside a page is the cursor before it and the last item of it that is done. Items are told by their ids and not
 * counted: when old ones are removed from the front of a page, a count would skip as many that are new.
 */
export interface ReachedPlace {
  cursor: string
  /** Null when nothing behind the cursor is done yet. */
  last: string | null
}

export interface Position {
  /** How many events were sent, or tried: the next one has this number and one as its `webhook-sequence`. */
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

/** What of a page is still to be done. Where the last one done is gone, all of it: better twice than never. */
export function restOf<T extends { id: string }>(page: readonly T[], last: string | null): T[] {
  return page.slice(page.findIndex(({ id }) => id === last) + 1)
}

function placeOf(part: unknown): ReachedPlace | null {
  if (part === null) return null
  const [cursor, last] = part as unknown[]
  if (typeof cursor !== 'string' || (last !== null && typeof last !== 'string')) throw new TypeError()
  return { cursor, last }
}
