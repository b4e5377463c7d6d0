/**
 * Writes clicks to files on their way to the database. The clicks of one turn of the event loop are a group: they are
 * written with one synchronous write, and only then are their redirects answered. So a killed process loses no click
 * whose visitor was answered. The write reaches the page cache only: a power cut may lose the last moments.
 *
 * When the disk fails or `maxBytes` is reached, a group is written to the database before its answers instead. When that
 * fails too, the visitors are answered all the same, and the clicks are counted as `lost` or as `dropped`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { GrowingIds } from '../../platform/database/ids.js'
import { every } from '../../platform/util/timers.js'
import { fieldsOf, LineBuffer } from './click-line.js'
import { ownerHeartbeatMs } from './folders.js'
import { OwnFolder } from './own-folder.js'
import type { ClosedSegment, OwnFolderOptions } from './own-folder.js'
import { writeBytes } from './segments.js'
import type { JournalSegment } from './segments.js'

export interface JournalOptions extends Partial<OwnFolderOptions> {
  /** The journal is in the folder `clicks` of this directory, which other processes may share. */
  dataDir: string
  /** The most bytes on disk. Adopted folders count too. */
  maxBytes: number
  /** Called once when writing begins to fail, and each time a `whenDurable` callback throws. */
  onFault?: (error: Error) => void
}

export interface JournalStats {
  pendingBytes: number
  /** Exact for clicks of this process, an estimate for those in adopted folders. */
  pendingClicks: number
  oldestPendingMs: number
  /** Clicks that were not recorded: `dropped` because `maxBytes` was reached, `lost` because a write failed. */
  dropped: number
  lost: number
  /** Lines that a crash or a disk fault made unreadable. */
  torn: number
}

/** Reads what the journal writes. The callbacks run between requests, so they must be quick. */
export interface JournalReader {
  onClosed: (segment: JournalSegment) => void
  onMoved: (folderId: string) => void
  /** Writes lines to the database, and calls `done` within a bounded time. The lines are the callee's. */
  writeDirectly: (lines: Uint8Array, done: (isWritten: boolean) => void) => void
}

const segmentBytes = 1024 * 1024
/** Clicks become readable after this time at the latest. */
const segmentMs = 200
const usualLineBytes = 400
/** The most bytes of lines that wait for the database in memory. */
const mostDirectBytes = 8 * 1024 * 1024

type Answer<T> = (arg: T) => void

export class ClickJournal {
  readonly root: string
  /** The ID of the folder that is written to. It begins with one that does not exist, which a full disk keeps. */
  folderId: string
  private readonly ids = new GrowingIds()
  private readonly now: () => number
  private readonly onFault: (error: Error) => void
  private readonly maxBytes: number
  private readonly own: OwnFolder
  private readonly endBeats: () => void
  private reader: JournalReader | null = null

  private readonly lines = new LineBuffer()
  /** Each callback of the open group, followed by its argument. */
  private answers: unknown[] = []
  /** Segments that are closed and not in the database yet. */
  private readonly closed = new Map<string, ClosedSegment>()
  private closedBytes = 0
  private closedClicks = 0
  private adoptedBytes = 0
  private directBytes = 0
  private dropped = 0
  private lost = 0
  private torn = 0
  private isFailing = false

  constructor(options: JournalOptions) {
    this.now = options.now ?? Date.now
    this.onFault = options.onFault ?? (() => undefined)
    this.maxBytes = options.maxBytes
    this.root = join(options.dataDir, 'clicks')
    this.folderId = this.ids.next(this.now())
    this.own = new OwnFolder(this.root, {
      segmentBytes,
      segmentMs,
      write: writeBytes,
      ...options,
      now: this.now,
      onClosed: (segment) => this.addClosed(segment),
      onMoved: (id) => {
        this.folderId = id
        this.reader?.onMoved(id)
      },
    })
    try {
      mkdirSync(this.root, { recursive: true, mode: 0o700 })
      this.own.move()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
      this.noteFault(error as Error)
    }
    this.endBeats = every({ waitMs: ownerHeartbeatMs, work: () => this.own.beat() })
  }

  /**
   * Records a visit and returns the click's ID. `whenDurable` is called with `arg` after the write, in the order of the
   * calls and never before `append` returns. The two parameters save a closure for each click.
   */
  append<T>(visit: Visit, whenDurable: Answer<T>, arg: T): string {
    const id = this.ids.next(this.now())
    this.lines.add(fieldsOf(id, visit))
    if (this.answers.push(whenDurable, arg) === 2) setImmediate(this.flush)
    return id
  }

  readFrom(reader: JournalReader): void {
    this.reader = reader
  }

  /** The segments that are closed and not in the database yet, oldest first. */
  get segments(): JournalSegment[] {
    return [...this.closed.values()]
  }

  /** The clicks of these segments are in the database. */
  forgetSegments(paths: readonly string[], torn: number): void {
    for (const path of paths) {
      const segment = this.closed.get(path)
      if (!segment) continue
      this.closed.delete(path)
      this.closedBytes -= segment.bytes
      this.closedClicks -= segment.clicks
    }
    this.torn += torn
  }

  noteAdopted(bytes: number): void {
    this.adoptedBytes = bytes
  }

  stats(): JournalStats {
    const open = this.own.open
    const pendingClicks =
      this.closedClicks + (open?.clicks ?? 0) + Math.ceil(this.adoptedBytes / usualLineBytes)
    const [oldest] = this.closed.values()
    const openedAt = oldest?.openedAt ?? open?.openedAt ?? this.now()
    return {
      pendingBytes: this.bytes,
      pendingClicks,
      oldestPendingMs: Math.max(0, this.now() - openedAt),
      dropped: this.dropped,
      lost: this.lost,
      torn: this.torn,
    }
  }

  /** The share of `maxBytes` that is on disk. */
  get fill(): number {
    return this.bytes / this.maxBytes
  }

  private get bytes(): number {
    return this.closedBytes + (this.own.open?.bytes ?? 0) + this.adoptedBytes
  }

  /** Gives all clicks so far to the reader. */
  closeSegment(): void {
    this.flush()
    this.own.closeSegment()
  }

  /** Removes the folder if all its clicks are in the database, else leaves it to the process that adopts it. */
  async close(): Promise<void> {
    this.closeSegment()
    this.endBeats()
    if (this.closed.size === 0) await this.own.remove()
    else this.own.release()
  }

  private readonly flush = (): void => {
    const { answers } = this
    if (answers.length === 0) return
    this.answers = []
    const reason = this.write()
    if (reason !== null) this.writeDirectly(answers, reason)
    this.lines.clear()
    if (reason === null) this.answer(answers)
  }

  /** Writes the open group to the disk, or says why it could not. */
  private write(): 'dropped' | 'lost' | null {
    if (this.bytes + this.lines.length > this.maxBytes) return 'dropped'
    try {
      this.own.write(this.lines.bytes(), this.lines.lineCount)
      this.isFailing = false
      return null
    } catch (error) {
      this.noteFault(error as Error)
      return 'lost'
    }
  }

  private writeDirectly(answers: readonly unknown[], reason: 'dropped' | 'lost'): void {
    const { reader, lines } = this
    const { length, lineCount } = lines
    if (!reader || this.directBytes + length > mostDirectBytes) {
      this[reason] += lineCount
      return this.answer(answers)
    }
    this.directBytes += length
    reader.writeDirectly(Uint8Array.from(lines.bytes()), (isWritten) => {
      this.directBytes -= length
      if (!isWritten) this[reason] += lineCount
      this.answer(answers)
    })
  }

  private answer(answers: readonly unknown[]): void {
    for (let i = 0; i < answers.length; i += 2)
      try {
        ;(answers[i] as Answer<unknown>)(answers[i + 1])
      } catch (error) {
        // A callback that throws must not keep the others from being called.
        this.onFault(error as Error)
      }
  }

  private addClosed(segment: ClosedSegment): void {
    this.closed.set(segment.path, segment)
    this.closedBytes += segment.bytes
    this.closedClicks += segment.clicks
    this.reader?.onClosed(segment)
  }

  private noteFault(error: Error): void {
    if (!this.isFailing) this.onFault(error)
    this.isFailing = true
  }
}

/** Faults that may pass while the service runs. Others, such as a missing permission, stop the start. */
function isDiskTrouble(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
}
