/**
 * Clicks on their way to the database. The clicks of one turn of the event loop go into a file with one synchronous
 * write, and only then are their answers let go. A killed process therefore loses no click whose visitor was answered.
 * The page cache is what holds them: a power cut may take the last moments (`fsyncOnRotation` narrows that to the
 * segment being written).
 *
 * A redirect is worth more than its click: when the disk fails or `maxBytes` is reached, the answers leave all the
 * same and the clicks are counted, as `lost` and as `dropped`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Visit } from '../../links/redirect/visit.js'
import { ClickIds } from './click-id.js'
import { fieldsOf } from './click-line.js'
import { ClickReader, rotateAfterMs } from './click-reader.js'
import { removeFolder, touchFolder } from './folders.js'
import { Leftovers } from './leftovers.js'
import { LineBuffer } from './line-buffer.js'
import { OwnFolder } from './own-folder.js'
import { asleepAfterMs, heartbeatMs, thisProcess } from './owner.js'
import { writeBytes } from './segment-writer.js'
import type { SegmentWriterOptions } from './segment-writer.js'
import { Turns } from './turns.js'

export interface JournalOptions extends Partial<SegmentWriterOptions> {
  /** The journal lives in its folder `clicks`, which other processes may share. */
  dataDir: string
  /** What may lie on the disk before new clicks are dropped; what was left behind and adopted counts too. */
  maxBytes?: number
  now?: () => number
  /** Told once when writing begins to fail, and each time a folder cannot be read or an answer throws. */
  onFault?: (error: Error) => void
}

export interface JournalStats {
  pendingBytes: number
  /** Exact for clicks of this process, an estimate for those that others left. */
  pendingClicks: number
  oldestPendingMs: number
  /** Clicks not recorded because `maxBytes` was reached, and because a write failed. */
  dropped: number
  lost: number
  /** Lines that a crash or a fault of the disk made unreadable. */
  torn: number
}

const defaultSegmentBytes = 8 * 1024 * 1024
const defaultMaxBytes = 1024 * 1024 * 1024
const usualLineBytes = 400

export class ClickJournal {
  readonly reader: ClickReader
  private readonly root: string
  private readonly self = thisProcess()
  private readonly ids = new ClickIds()
  private readonly now: () => number
  private readonly onFault: (error: Error) => void
  private readonly maxBytes: number
  private readonly writing: SegmentWriterOptions
  private readonly leftovers: Leftovers
  private readonly listeners = new Set<() => void>()
  private readonly timer: NodeJS.Timeout
  private own: OwnFolder

  private readonly lines = new LineBuffer()
  private readonly turns = new Turns(
    () => this.commit(),
    () => this.tellListeners(),
    (error) => this.onFault(error),
  )
  private lastClickAt = 0
  private dropped = 0
  private lost = 0
  private isFailing = false
  private isClosed = false
  private aliveAt = { wall: 0, monotonic: 0 }
  private pendingSince: number | null = null

  constructor(options: JournalOptions) {
    this.now = options.now ?? Date.now
    this.onFault = options.onFault ?? (() => undefined)
    this.maxBytes = options.maxBytes ?? defaultMaxBytes
    this.writing = {
      segmentBytes: options.segmentBytes ?? defaultSegmentBytes,
      fsyncOnRotation: options.fsyncOnRotation ?? false,
      write: options.write ?? writeBytes,
    }
    this.root = join(options.dataDir, 'clicks')
    mkdirSync(this.root, { recursive: true, mode: 0o700 })
    this.own = this.claim()
    this.leftovers = new Leftovers(this.root, this.self)
    this.reader = new ClickReader(() => this.own, this.leftovers, this.now, this.onFault)
    this.timer = setInterval(() => this.beat(), heartbeatMs).unref()
  }

  /**
   * Records a visit and returns the click's id. `whenDurable` is called with `arg` after the turn's write, in the order
   * of the calls and never before `append` returns: two parameters instead of a closure for each click.
   */
  append<T>(visit: Visit, whenDurable: (arg: T) => void, arg: T): string {
    const now = this.now()
    this.lastClickAt = now
    const id = this.ids.next(now)
    const fields = fieldsOf(id, visit)
    const waiting = this.lines.length + LineBuffer.lengthOf(fields)
    if (this.own.writer.bytes + this.leftovers.pendingBytes + waiting > this.maxBytes) this.dropped++
    else this.lines.add(fields)
    this.turns.add(whenDurable, arg)
    return id
  }

  /** Calls the listener whenever there may be something new to read; returns what ends that. */
  onWritten(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  stats(): JournalStats {
    const { own, leftovers } = this
    const left = leftovers.pendingBytes
    const pendingClicks = own.written - own.committed + Math.ceil(left / usualLineBytes)
    const oldest = this.reader.oldestSeen ?? this.pendingSince
    return {
      pendingBytes: own.reader.pendingBytes + left,
      pendingClicks,
      oldestPendingMs: pendingClicks === 0 || oldest === null ? 0 : Math.max(0, this.now() - oldest),
      dropped: this.dropped,
      lost: this.lost,
      torn: this.reader.torn,
    }
  }

  /** Writes what is open and leaves the folder to whoever comes next, or removes it when all of it was consumed. */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.turns.flush()
    this.isClosed = true
    clearInterval(this.timer)
    await this.reader.close()
    this.own.abandon()
    if (this.own.reader.pendingBytes === 0) await removeFolder(this.own.path)
  }

  private commit(): void {
    const { lineCount } = this.lines
    if (lineCount === 0) return
    const lost = lineCount - this.write(this.lines.bytes())
    this.lines.clear()
    this.lost += lost
    if (lost === 0) this.isFailing = false
    else if (this.own.writer.lastError) this.noteFault(this.own.writer.lastError)
  }

  /** How many of the lines are in a file now. */
  private write(lines: Buffer): number {
    const now = this.lastClickAt
    if (this.isClosed || (now - this.aliveAt.wall > asleepAfterMs && !this.renew(now))) return 0
    let written = this.own.writer.write(lines, now)
    // Frozen until after the check: others may have read to the end before it. Twice is harmless, the ids are the same.
    if (this.hasSlept(this.now()) && this.renew(this.now())) written = this.own.writer.write(lines, now)
    const whole = written === lines.length ? this.lines.lineCount : newlinesIn(lines.subarray(0, written))
    if (this.own.written === this.own.committed) this.pendingSince = now
    this.own.written += whole
    return whole
  }

  private noteFault(error: Error): void {
    if (!this.isFailing) this.onFault(error)
    this.isFailing = true
  }

  private beat(): void {
    const now = this.now()
    if (this.hasSlept(now)) this.renew(now)
    else
      try {
        touchFolder(this.own.path, now)
        this.noteAlive(now)
      } catch {
        // Taken over or deleted under our hands.
        this.renew(now)
      }
    const mayRotate = this.own.reader.pendingBytes === 0 && this.own.writer.ageMs(now) >= rotateAfterMs
    if (mayRotate || this.leftovers.isLookDue(now)) this.tellListeners()
  }

  /** The wall clock sees a suspended machine, the other one a clock that was set back. */
  private hasSlept(now: number): boolean {
    const { wall, monotonic } = this.aliveAt
    return now - wall > asleepAfterMs || performance.now() - monotonic > asleepAfterMs
  }

  private noteAlive(now: number): void {
    this.aliveAt = { wall: now, monotonic: performance.now() }
  }

  /** A new folder, since others may think the old one's owner dead. */
  private renew(now: number): boolean {
    const old = this.own
    try {
      this.own = this.claim()
    } catch (error) {
      this.noteFault(error as Error)
      return false
    }
    old.abandon()
    this.leftovers.lookSoon()
    this.noteAlive(now)
    return true
  }

  private claim(): OwnFolder {
    const now = this.now()
    const folder = new OwnFolder(this.root, this.ids.next(now), this.self, this.writing)
    this.noteAlive(now)
    return folder
  }

  private tellListeners(): void {
    for (const listener of this.listeners) listener()
  }
}

function newlinesIn(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1
}
