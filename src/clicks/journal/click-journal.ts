/**
 * Clicks on their way to the database. A group of clicks goes into a file with one synchronous write, and only then are
 * their answers sent (see group-commit.ts). So a killed process loses no click whose visitor was answered. The write
 * reaches the page cache only: a power cut may take the last moments.
 *
 * A redirect is worth more than its click. When the disk fails or `maxBytes` is reached, the answers are sent all the
 * same, and the clicks are counted as `lost` or as `dropped`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { GrowingIds } from '../../platform/database/ids.js'
import { every } from '../../platform/util/timers.js'
import { fieldsOf, LineBuffer } from './click-line.js'
import type { SharedJournal } from './click-reader.js'
import { asleepAfterMs, ownerHeartbeatMs, removeFolder, thisProcess, touchFolder } from './folders.js'
import { OwnFolder, ReaderState, type SharedFolder } from './own-folder.js'
import { writeBytes } from './segments.js'
import type { SegmentWriterOptions } from './segments.js'
import { GroupCommit } from './group-commit.js'

export interface JournalOptions extends Partial<SegmentWriterOptions> {
  /** The journal lives in the folder `clicks` of this directory, which other processes may share. */
  dataDir: string
  /** The bytes that may be on disk before new clicks are dropped. Adopted folders count too. */
  maxBytes: number
  now?: () => number
  /** Called once when writing begins to fail, and each time a `whenDurable` callback throws. */
  onFault?: (error: Error) => void
}

export interface JournalStats {
  pendingBytes: number
  /** Exact for clicks of this process, an estimate for those in orphaned folders. */
  pendingClicks: number
  oldestPendingMs: number
  /** Clicks that were not recorded: `dropped` because `maxBytes` was reached, `lost` because a write failed. */
  dropped: number
  lost: number
  /** Lines that a crash or a fault of the disk made unreadable. */
  torn: number
}

const defaultSegmentBytes = 8 * 1024 * 1024
const usualLineBytes = 400
/** A consumed segment is removed after this time even if it is not full, because it holds visitors' addresses. */
const rotateAfterMs = 60_000

/** The journal tells its reader here that there is work. Both callbacks run between requests, so they must be quick. */
export interface JournalListener {
  /** There may be something new to read, or to remove. */
  onWritten: () => void
  onRenewed: (folder: SharedFolder) => void
}

export class ClickJournal {
  private readonly root: string
  private readonly self = thisProcess()
  private readonly ids = new GrowingIds()
  private readonly now: () => number
  private readonly onFault: (error: Error) => void
  private readonly maxBytes: number
  private readonly writing: SegmentWriterOptions
  private readonly state = new ReaderState()
  private listener: JournalListener | null = null
  private readonly endBeats: () => void
  private own: OwnFolder

  private readonly lines = new LineBuffer()
  private readonly groupCommit = new GroupCommit(
    () => this.commit(),
    () => this.listener?.onWritten(),
    (error) => this.onFault(error),
  )
  private lastClickAt = 0
  private dropped = 0
  private lost = 0
  private isFailing = false
  private isClosed = false
  private aliveAt = { wall: 0, monotonic: 0 }
  private pendingSince: number | null = null
  /** The bytes on disk when the open group began. Until it is written, only its own lines are added to them. */
  private heldBytes = 0

  constructor(options: JournalOptions) {
    this.now = options.now ?? Date.now
    this.onFault = options.onFault ?? (() => undefined)
    this.maxBytes = options.maxBytes
    this.writing = {
      segmentBytes: options.segmentBytes ?? defaultSegmentBytes,
      write: options.write ?? writeBytes,
    }
    this.root = join(options.dataDir, 'clicks')
    mkdirSync(this.root, { recursive: true, mode: 0o700 })
    this.own = this.makeOwnFolder()
    this.endBeats = every({ waitMs: ownerHeartbeatMs, work: () => this.beat() })
  }

  /**
   * Records a visit and returns the click's id. `whenDurable` is called with `arg` after the write, in the order of the
   * calls and never before `append` returns. The two parameters save a closure for each click.
   */
  append<T>(visit: Visit, whenDurable: (arg: T) => void, arg: T): string {
    const now = this.now()
    this.lastClickAt = now
    const id = this.ids.next(now)
    const fields = fieldsOf(id, visit)
    if (this.lines.length === 0) this.heldBytes = this.own.bytes + this.state.orphanedBytes
    const waiting = this.lines.length + LineBuffer.lengthOf(fields)
    if (this.heldBytes + waiting > this.maxBytes) this.dropped++
    else this.lines.add(fields)
    this.groupCommit.add(whenDurable, arg)
    return id
  }

  /** What a reader needs, in this thread or another. There may be one reader at a time. */
  get shared(): SharedJournal {
    return { root: this.root, folder: this.own.shared, state: this.state.shared }
  }

  listen(listener: JournalListener): void {
    this.listener = listener
  }

  stats(): JournalStats {
    const { own, state } = this
    const left = state.orphanedBytes
    const pendingClicks = own.pendingClicks + Math.ceil(left / usualLineBytes)
    const oldest = state.oldestSeen ?? this.pendingSince
    return {
      pendingBytes: own.pendingBytes + left,
      pendingClicks,
      oldestPendingMs: pendingClicks === 0 || oldest === null ? 0 : Math.max(0, this.now() - oldest),
      dropped: this.dropped,
      lost: this.lost,
      torn: state.torn,
    }
  }

  /** The share of `maxBytes` that is on disk. */
  get fill(): number {
    return (this.own.bytes + this.state.orphanedBytes) / this.maxBytes
  }

  /** Writes the open group and leaves the folder to whoever adopts it. Removes it when all of it was consumed. */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.groupCommit.flush()
    this.isClosed = true
    this.endBeats()
    this.own.abandon()
    if (this.own.progress.isDrained) await removeFolder(this.own.path)
  }

  private commit(): void {
    const { lineCount } = this.lines
    if (lineCount === 0) return
    const lost = lineCount - this.write(this.lines.bytes())
    this.lines.clear()
    this.lost += lost
    if (lost === 0) this.isFailing = false
    else if (this.own.lastError) this.noteFault(this.own.lastError)
  }

  /** Writes the lines, and returns how many of them are in a file now. */
  private write(lines: Buffer): number {
    const now = this.lastClickAt
    if (this.isClosed || (now - this.aliveAt.wall > asleepAfterMs && !this.renew(now))) return 0
    if (this.own.progress.isDrained) this.pendingSince = now
    let written = this.own.write(lines, now)
    // The process may have been frozen after the check above. Then another one may have adopted the folder and read it
    // to its end before this write. Lines that are written twice do no harm, because their ids are the same.
    if (this.hasSlept(this.now()) && this.renew(this.now())) written = this.own.write(lines, now)
    const whole = written === lines.length ? this.lines.lineCount : newlinesIn(lines.subarray(0, written))
    this.own.written += whole
    return whole
  }

  private noteFault(error: Error): void {
    if (!this.isFailing) this.onFault(error)
    this.isFailing = true
  }

  /** The heartbeat, which a timer calls. It shows that this process lives, and looks after its folder. */
  beat(): void {
    const now = this.now()
    if (this.hasSlept(now)) this.renew(now)
    else
      try {
        touchFolder(this.own.path, now)
        this.noteAlive(now)
      } catch {
        // Another process took the folder over, or somebody deleted it.
        this.renew(now)
      }
    if (this.own.rotateIfConsumed(now, rotateAfterMs)) this.listener?.onWritten()
  }

  /** Asks two clocks: only the wall clock runs during a suspend, and only the other one cannot be set back. */
  private hasSlept(now: number): boolean {
    const { wall, monotonic } = this.aliveAt
    return now - wall > asleepAfterMs || performance.now() - monotonic > asleepAfterMs
  }

  private noteAlive(now: number): void {
    this.aliveAt = { wall: now, monotonic: performance.now() }
  }

  /** Moves to a new folder, because others may think the old one's owner dead. False when it cannot be made. */
  private renew(now: number): boolean {
    const old = this.own
    try {
      this.own = this.makeOwnFolder()
    } catch (error) {
      this.noteFault(error as Error)
      return false
    }
    old.abandon()
    this.listener?.onRenewed(this.own.shared)
    this.noteAlive(now)
    return true
  }

  private makeOwnFolder(): OwnFolder {
    const now = this.now()
    const folder = new OwnFolder(this.root, this.ids.next(now), this.self, this.writing)
    this.noteAlive(now)
    return folder
  }
}

function newlinesIn(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1
}
