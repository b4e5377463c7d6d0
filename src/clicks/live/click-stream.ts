/**
 * The clicks that one reader is sent, as server-sent events. The stream begins where the reader stopped. At first it
 * reads the feed itself, as fast as the reader takes it, and the clicks that the shared tail brings wait. Once it has
 * caught up, it needs only the tail.
 */
import { Readable } from 'node:stream'

import type { FeedPlace } from '../../platform/database/feed-place.js'
import { ClickDto } from '../click.dto.js'
import type { ClickRow } from '../click.entity.js'

/** A reader that is this far behind when more comes is disconnected. It can connect again and resume. */
const mostBytesBehind = 1024 * 1024
/** A reader that catches up is sent more when fewer bytes than this wait for it. */
const bytesAhead = 64 * 1024
/** Clicks of the tail that may wait while the stream reads the feed itself. If more come, it reads another page. */
const mostWaiting = 500
const pageSize = 500

interface StreamOptions {
  place: FeedPlace
  isWanted: (click: ClickRow) => boolean
  cursorAt: (place: FeedPlace) => string
  read: (after: FeedPlace, limit: number) => Promise<ClickRow[]>
}

export class ClickStream {
  readonly output = new Readable({ read: () => this.goOn(), highWaterMark: bytesAhead })
  private place: FeedPlace
  /** Clicks of the tail that wait. Null once the stream has caught up. */
  private waiting: ClickRow[] | null = []
  private goOn: () => void = () => undefined
  private isOver = false

  constructor(private readonly options: StreamOptions) {
    this.place = options.place
    this.output.once('close', () => this.goOn())
    this.comment()
  }

  /** Add the stream to the tail first: clicks that commit after the last page read here come only from there. */
  async catchUp(): Promise<void> {
    while (!this.isEnded) {
      const waiting: ClickRow[] = (this.waiting = [])
      const page = await this.options.read(this.place, pageSize)
      for (const click of page) {
        this.send(click)
        await this.isTaken()
      }
      if (page.length === pageSize || waiting.length > mostWaiting) continue
      this.waiting = null
      for (const click of waiting) this.send(click)
      return
    }
  }

  /** Takes what the tail found, in the order of the feed. */
  take(clicks: readonly ClickRow[]): void {
    if (this.waiting === null) {
      if (clicks.length > 0) this.endIfBehind()
      for (const click of clicks) this.send(click)
    } else if (this.waiting.length <= mostWaiting) this.waiting.push(...clicks)
  }

  /** Keeps proxies from taking the connection for dead. */
  comment(): void {
    this.endIfBehind()
    this.write(':\n\n')
  }

  end(): void {
    if (this.isEnded) return
    this.isOver = true
    this.output.push(null)
  }

  get isEnded(): boolean {
    return this.isOver || this.output.destroyed
  }

  private async isTaken(): Promise<void> {
    while (this.output.readableLength >= bytesAhead && !this.isEnded)
      await new Promise<void>((resolve) => (this.goOn = resolve))
  }

  private send(click: ClickRow): void {
    if (!isAfter(click, this.place)) return
    this.place = { tx: click.tx, id: click.id }
    if (!this.options.isWanted(click)) return
    const data = JSON.stringify(ClickDto.from(click))
    this.write(`id: ${this.options.cursorAt(this.place)}\nevent: click\ndata: ${data}\n\n`)
  }

  private write(text: string): void {
    if (!this.isEnded) this.output.push(text)
  }

  private endIfBehind(): void {
    if (this.output.readableLength > mostBytesBehind) this.output.destroy()
  }
}

function isAfter(one: FeedPlace, other: FeedPlace): boolean {
  const [tx, otherTx] = [BigInt(one.tx), BigInt(other.tx)]
  return tx > otherTx || (tx === otherTx && one.id > other.id)
}
