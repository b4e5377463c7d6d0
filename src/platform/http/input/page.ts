import { createHmac, timingSafeEqual } from 'node:crypto'

import { Inject, Injectable } from '@nestjs/common'
import { ApiPropertyOptional } from '@nestjs/swagger'

import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import { feedStart } from '../../database/feed-place.js'
import type { FeedPlace, FeedRows } from '../../database/feed-place.js'
import { lowestIdAt } from '../../database/ids.js'
import { deriveKeys } from '../../database/sealing.js'
import type { DerivedKeys } from '../../database/sealing.js'
import { IsText, IsTimestampText, IsWholeNumberText, Optional } from './fields.js'
import { Problem } from '../problems/problem.js'
import { QueryInput } from './input.pipe.js'

const defaultPageSize = 20
/** As `after`, means the end of a feed. No cursor has this form. */
const latest = 'latest'
/** Parameters that select the page, not the contents of the list. */
const positional = new Set(['cursor', 'after', 'limit'])

export class Page<T> {
  constructor(
    readonly data: T[],
    readonly has_more: boolean,
    readonly next_cursor: string | null,
  ) {}

  /** Returns the same page with other data. */
  withData<U>(data: U[]): Page<U> {
    return new Page(data, this.has_more, this.next_cursor)
  }
}

/** A page of a feed, which is read oldest first and always has a cursor. */
export class FeedPage<T> extends Page<T> {}

export class LimitQuery extends QueryInput {
  @ApiPropertyOptional({ format: 'int64', description: 'Maximum number of items per page. Default: 20.' })
  @Optional()
  @IsWholeNumberText(1, 100)
  limit?: string
}

/** Parameters of every list. */
export class PageQuery extends LimitQuery {
  @ApiPropertyOptional({
    description: 'The `next_cursor` of the previous page. All other parameters must stay the same.',
  })
  @Optional()
  @IsText(1, 1000)
  cursor?: string
}

/** Parameters of lists that can be filtered by creation time. */
export class CreatedQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Returns only items created after this time, such as `2026-01-31T12:00:00Z`.',
  })
  @Optional()
  @IsTimestampText()
  created_after?: string

  @ApiPropertyOptional({ description: 'Returns only items created before this time.' })
  @Optional()
  @IsTimestampText()
  created_before?: string
}

/** Returns the ID bounds of the requested times. `from` is inclusive, `until` exclusive. */
export function createdBounds({ created_after, created_before }: CreatedQuery): {
  from?: string
  until?: string
} {
  return {
    // Excludes the given millisecond itself.
    ...(created_after && { from: lowestIdAt(new Date(Date.parse(created_after) + 1)) }),
    ...(created_before && { until: lowestIdAt(new Date(created_before)) }),
  }
}

function pageSize(query: Pick<PageQuery, 'limit'>): number {
  return query.limit === undefined ? defaultPageSize : Number(query.limit)
}

/** Rows of a list that reads a bounded number of rows for a page. */
export interface ScannedRows<Row> {
  rows: Row[]
  /** Position of the last row that was read, if more rows may follow although fewer than the limit were found. */
  next: string | null
}

interface ListReading<Row, T> {
  /** Reads up to `limit` rows after a position, or from the start if it is null. */
  read: (after: string | null, limit: number) => Row[] | Promise<Row[] | ScannedRows<Row>>
  position: (row: Row) => string
  show: (row: Row) => T
}

/** The parameter or header that contained a cursor. */
type CursorSource = { parameter: string } | { header: string }

/** Creates and reads cursors. A cursor signs the end of a page together with the parameters of the request. */
@Injectable()
export class Cursors {
  private readonly keys: DerivedKeys

  constructor(@Inject(SETTINGS) settings: RunningSettings) {
    this.keys = deriveKeys(settings.encryptionKey, settings.encryptionKeyPrevious, 'cursors')
  }

  /** Reads a page, and one more row that shows whether another page follows. */
  async readPage<Row, T>(
    query: PageQuery,
    list: string,
    { read, position, show }: ListReading<Row, T>,
  ): Promise<Page<T>> {
    const limit = pageSize(query)
    const found = await read(this.openCursor(query.cursor, query, list), limit + 1)
    const { rows, next } = Array.isArray(found) ? { rows: found, next: null } : found
    const shown = rows.slice(0, limit)
    const end = rows.length > limit ? position(shown.at(-1)!) : next
    return new Page(
      shown.map((row) => show(row)),
      end !== null,
      end === null ? null : this.sealCursor(end, query, list),
    )
  }

  /** Reads a page of a feed. The last page has a cursor too, so that a consumer can continue from it later. */
  async readFeedPage<Row extends FeedPlace, T>(
    query: { after?: string; limit?: string },
    list: string,
    feed: {
      end: () => Promise<FeedPlace>
      read: (after: FeedPlace, limit: number) => Promise<FeedRows<Row>>
      show: (row: Row) => T
    },
  ): Promise<FeedPage<T>> {
    if (query.after === latest) return new FeedPage([], false, this.sealPlace(await feed.end(), query, list))
    const after = this.openPlace(query.after, query, list, { parameter: 'after' }) ?? feedStart
    const limit = pageSize(query)
    const { rows, end, hasMore } = await feed.read(after, limit + 1)
    const shown = rows.slice(0, limit)
    const isCut = rows.length > limit
    return new FeedPage(
      shown.map((row) => feed.show(row)),
      isCut || hasMore,
      this.sealPlace(isCut ? shown.at(-1)! : end, query, list),
    )
  }

  /** Returns null if there is no cursor. */
  openPlace(cursor: string | undefined, query: object, list: string, source: CursorSource): FeedPlace | null {
    const place = this.openCursor(cursor, query, list, source)
    return place === null ? null : (JSON.parse(place) as FeedPlace)
  }

  sealPlace({ tx, id }: FeedPlace, query: object, list: string): string {
    return this.sealCursor(JSON.stringify({ tx, id }), query, list)
  }

  sealCursor(position: string, query: object, list: string): string {
    const text = Buffer.from(position).toString('base64url')
    return `${text}.${signCursor(this.keys[0], text, query, list).toString('base64url')}`
  }

  /** Returns the position in a cursor, or null if there is no cursor. Throws if the parameters have changed. */
  openCursor(
    cursor: string | undefined,
    query: object,
    list: string,
    source: CursorSource = { parameter: 'cursor' },
  ): string | null {
    if (!cursor) return null
    const [text = '', signature = ''] = cursor.split('.')
    const actual = Buffer.from(signature, 'base64url')
    const isSignedWith = (key: Buffer) => {
      const expected = signCursor(key, text, query, list)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    }
    if (this.keys.some((key) => key !== undefined && isSignedWith(key)))
      return Buffer.from(text, 'base64url').toString()
    const detail =
      'This cursor does not belong to these parameters. Remove it to start over, or use the parameters of the request that returned it.'
    throw new Problem('invalid_query', { errors: [{ ...source, code: 'invalid_cursor', detail }] })
  }
}

function signCursor(key: Buffer, text: string, query: object, list: string): Buffer {
  const others = Object.entries(query)
    .filter(([name, value]) => !positional.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', key)
    .update(JSON.stringify([list, text, others]))
    .digest()
    .subarray(0, 16)
}
