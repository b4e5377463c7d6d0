/** One page of a list. */
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** A paginated list. It sends no request before it is used. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read
  }

  /** Returns the page after a cursor, by default the first. */
  page(cursor?: string | null): Promise<Page<T>> {
    return this.#read(cursor ?? undefined)
  }

  /** Yields all pages. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#read(undefined)
    yield page
    while (page.next_cursor !== null) {
      page = await this.#read(page.next_cursor)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  /** Returns all items, or the first `limit` items. */
  async toArray(limit = Infinity): Promise<T[]> {
    const items: T[] = []
    for await (const { data } of this.pages()) {
      items.push(...data)
      if (items.length >= limit) break
    }
    return items.slice(0, limit)
  }
}
