/**
 * What one reader is sent, as server-sent events. It begins where the reader stopped: at first it reads for itself, while
 * what the shared tail brings meanwhile waits; from then on the tail is all it needs.
 */
import { Readable } from 'node:stream'

import type { FeedPlace } from '../../platform/database/feed-place.js'
import { ClickDto } from '../click.dto.js'
import type { ClickRow } from '../click.entity.js'

/** A reader that has not taken so much is ended, and resumes when it can. */
const mostBytesBehind = 1024 * 1024
/** What may come from the tail while the stream reads for itself; beyond it, it reads on. */
const mostWaiting = 5_000
const pageSize = 500

interface Options {
  place: FeedPlace
  isWanted: (click: ClickRow) => boolean
  cursorAt: (place: FeedPlace) => string
  read: (after: FeedPlace, limit: number) => Promise<ClickRow[]>
}

export class ClickStream {
  readonly output = new Readable({ read: () => undefined, highWaterMark: mostBytesBehind })
  private place: FeedPlace
  /** Null once it has caught up. */
  private waiting: ClickRow[] | null = []

  constructor(private readonly options: Options) {
    this.place = options.place
    this.comment()
  }

  /** The tail must know the stream by then: what is committed behind the last page read here comes from there. */
  async catchUp(): Promise<void> {
    while (this.waiting !== null && !this.isEnded) {
      const page = await this.options.read(this.place, pageSize)
      for (const click of page) this.send(click)
      if (page.length === pageSize) continue
      if (this.waiting.length > mostWaiting) {
        this.waiting = []
        continue
      }
      const { waiting } = this
      this.waiting = null
      for (const click of waiting) this.send(click)
    }
  }

  /** What the tail found, in the order of the feed. */
  take(clicks: readonly ClickRow[]): void {
    if (this.waiting === null) for (const click of clicks) this.send(click)
    else if (this.waiting.length <= mostWaiting) this.waiting.push(...clicks)
  }

  /** Keeps proxies from taking the connection for dead. */
  comment(): void {
    this.write(':\n\n')
  }

  end(): void {
    if (!this.isEnded) this.output.push(null)
  }

  get isEnded(): boolean {
    return this.output.destroyed || this.output.readableEnded
  }

  private send(click: ClickRow): void {
    if (!isAfter(click, this.place)) return
    this.place = { tx: click.tx, id: click.id }
    if (!this.options.isWanted(click)) return
    const data = JSON.stringify(ClickDto.from(click))
    this.write(`id: ${this.options.cursorAt(this.place)}\nevent: click\ndata: ${data}\n\n`)
  }

  private write(text: string): void {
    if (this.isEnded) return
    this.output.push(text)
    if (this.output.readableLength > mostBytesBehind) this.output.destroy()
  }
}

function isAfter(one: FeedPlace, other: FeedPlace): boolean {
  const [tx, otherTx] = [BigInt(one.tx), BigInt(other.tx)]
  return tx > otherTx || (tx === otherTx && one.id > other.id)
}
