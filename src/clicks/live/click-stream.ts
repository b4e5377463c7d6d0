/**
 * Sends clicks to one reader as server-sent events. The stream first reads the feed from the reader's position, as fast
 * as the reader consumes it, and buffers new clicks from the shared tail. Later the tail supplies all clicks.
 */
import { Readable } from 'node:stream'

import type { FeedPlace, FeedRows } from '../../platform/database/feed-place.js'
import { ClickDto } from '../click.dto.js'
import type { ClickRow } from '../click.entity.js'

/** A reader with more unread bytes than this is disconnected when new clicks arrive. It can reconnect and resume. */
const maxBytesBehind = 1024 * 1024
/** While catching up, the stream pauses when this many bytes are unread. */
const bytesAhead = 64 * 1024
/** Maximum number of buffered clicks from the tail while catching up. If more arrive, another page is read. */
const maxBuffered = 500
const pageSize = 500

interface StreamOptions {
  place: FeedPlace
  matches: (click: ClickRow) => boolean
  cursorAt: (place: FeedPlace) => string
  read: (after: FeedPlace, limit: number) => Promise<FeedRows<ClickRow>>
}

export class ClickStream {
  readonly output = new Readable({ read: () => this.resume(), highWaterMark: bytesAhead })
  private place: FeedPlace
  /** Clicks from the tail while the stream catches up, then null. */
  private buffered: ClickRow[] | null = []
  private resume: () => void = () => undefined
  private hasEnded = false

  constructor(private readonly options: StreamOptions) {
    this.place = options.place
    this.output.once('close', () => this.resume())
    // A block without data is not an event, but it allows a client to resume before it has received a click.
    this.write(`id: ${options.cursorAt(this.place)}\n\n`)
  }

  /** Sends the clicks up to the end of the feed. Add the stream to the tail first to receive later clicks. */
  async catchUp(): Promise<void> {
    while (!this.isEnded) {
      const buffered: ClickRow[] = (this.buffered = [])
      const { rows, end, hasMore } = await this.options.read(this.place, pageSize)
      for (const click of rows) {
        this.send(click)
        await this.waitForReader()
      }
      this.place = { tx: end.tx, id: end.id }
      if (rows.length === pageSize || hasMore || buffered.length > maxBuffered) continue
      this.buffered = null
      for (const click of buffered) this.send(click)
      return
    }
  }

  /** Receives new clicks from the tail, in feed order. */
  receive(clicks: readonly ClickRow[]): void {
    if (this.buffered === null) {
      if (clicks.length > 0) this.endIfBehind()
      for (const click of clicks) this.send(click)
    } else if (this.buffered.length <= maxBuffered) this.buffered.push(...clicks)
  }

  /** Sends a comment, so that proxies keep the idle connection open. */
  sendComment(): void {
    this.endIfBehind()
    this.write(':\n\n')
  }

  end(): void {
    if (this.isEnded) return
    this.hasEnded = true
    this.output.push(null)
  }

  get isEnded(): boolean {
    return this.hasEnded || this.output.destroyed
  }

  private async waitForReader(): Promise<void> {
    while (this.output.readableLength >= bytesAhead && !this.isEnded)
      await new Promise<void>((resolve) => (this.resume = resolve))
  }

  private send(click: ClickRow): void {
    if (!isAfter(click, this.place)) return
    this.place = { tx: click.tx, id: click.id }
    if (!this.options.matches(click)) return
    const data = JSON.stringify(ClickDto.fromClick(click))
    this.write(`id: ${this.options.cursorAt(this.place)}\nevent: click\ndata: ${data}\n\n`)
  }

  private write(text: string): void {
    if (!this.isEnded) this.output.push(text)
  }

  private endIfBehind(): void {
    if (this.output.readableLength > maxBytesBehind) this.output.destroy()
  }
}

function isAfter(one: FeedPlace, other: FeedPlace): boolean {
  const [tx, otherTx] = [BigInt(one.tx), BigInt(other.tx)]
  return tx > otherTx || (tx === otherTx && one.id > other.id)
}
