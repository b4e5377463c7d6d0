/**
 * Writes clicks to local files before they reach the database. The clicks of one event loop turn are written as a group
 * before their redirects are sent, so a killed process loses no click. A power cut may lose the last seconds. If the
 * disk fails or `maxBytes` is reached, the group is written directly to the database.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { GrowingIds } from '../../platform/database/ids.js'
import { runPeriodically } from '../../platform/util/timers.js'
import { encodeFields, LineBuffer } from './click-line.js'
import { ownerHeartbeatMs } from './folders.js'
import { OwnFolder } from './own-folder.js'
import type { ClosedSegment, OwnFolderOptions } from './own-folder.js'
import { writeBytes } from './segments.js'
import type { JournalSegment } from './segments.js'

export interface JournalOptions extends Partial<OwnFolderOptions> {
  /** The journal is stored in the folder `clicks` of this directory. Several processes can share the directory. */
  dataDir: string
  /** Maximum size on disk, including adopted folders. */
  maxBytes: number
  /** Called when writing starts to fail, and when a `whenDurable` callback throws. */
  onFault?: (error: Error) => void
}

export interface JournalStats {
  pendingBytes: number
  /** Exact for the clicks of this process, estimated for adopted folders. */
  pendingClicks: number
  oldestPendingMs: number
  /** Clicks that were not recorded: `dropped` because `maxBytes` was reached, `lost` because a write failed. */
  dropped: number
  lost: number
  /** Lines that a crash or a disk fault made unreadable. */
  torn: number
}

/** Receives the clicks of the journal. The callbacks run in the serving thread, so they must return quickly. */
export interface JournalReader {
  onClosed: (segment: JournalSegment) => void
  onMoved: (folderId: string) => void
  /** Writes lines to the database and calls `done` within a bounded time. The callee may keep the buffer. */
  writeDirectly: (lines: Uint8Array, done: (isWritten: boolean) => void) => void
}

const segmentBytes = 1024 * 1024
/** A segment is closed after this time, so that its clicks can be read. */
const segmentMs = 200
const averageLineBytes = 400
/** Maximum memory for lines that are being written directly to the database. */
const maxDirectBytes = 8 * 1024 * 1024

type Callback<T> = (arg: T) => void

export class ClickJournal {
  readonly root: string
  /** ID of the current folder. The folder does not exist yet if the disk was full at startup. */
  folderId: string
  private readonly ids = new GrowingIds()
  private readonly now: () => number
  private readonly onFault: (error: Error) => void
  private readonly maxBytes: number
  private readonly folder: OwnFolder
  private readonly stopHeartbeat: () => void
  private reader: JournalReader | null = null

  private readonly lines = new LineBuffer()
  /** The callbacks of the open group, each followed by its argument. */
  private callbacks: unknown[] = []
  /** Closed segments that are not in the database yet, by path. */
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
    this.folderId = this.ids.nextId(this.now())
    this.folder = new OwnFolder(this.root, {
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
      this.folder.moveToNewFolder()
    } catch (error) {
      if (!isTransientFault(error)) throw error
      this.noteFault(error as Error)
    }
    this.stopHeartbeat = runPeriodically({
      waitMs: ownerHeartbeatMs,
      work: () => this.folder.sendHeartbeat(),
    })
  }

  /**
   * Records a visit and returns the click's ID. Calls `whenDurable(arg)` after the write, in order and never before
   * `appendClick` returns. Passing `arg` separately saves a closure for each click.
   */
  appendClick<T>(visit: Visit, whenDurable: Callback<T>, arg: T): string {
    const id = this.ids.nextId(this.now())
    this.lines.appendLine(encodeFields(id, visit))
    if (this.callbacks.push(whenDurable, arg) === 2) setImmediate(this.flush)
    return id
  }

  readFrom(reader: JournalReader): void {
    this.reader = reader
  }

  /** Closed segments that are not in the database yet, oldest first. */
  get segments(): JournalSegment[] {
    return [...this.closed.values()]
  }

  /** Notes that the clicks of these segments are in the database. */
  noteWritten(paths: readonly string[], torn: number): void {
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

  getStats(): JournalStats {
    const { open } = this.folder
    const now = this.now()
    const pendingClicks =
      this.closedClicks + (open?.clicks ?? 0) + Math.ceil(this.adoptedBytes / averageLineBytes)
    const [oldest] = this.closed.values()
    const openedAt = oldest?.openedAt ?? open?.openedAt ?? now
    return {
      pendingBytes: this.bytes,
      pendingClicks,
      oldestPendingMs: Math.max(0, now - openedAt),
      dropped: this.dropped,
      lost: this.lost,
      torn: this.torn,
    }
  }

  /** Size on disk as a fraction of `maxBytes`. */
  get fill(): number {
    return this.bytes / this.maxBytes
  }

  private get bytes(): number {
    return this.closedBytes + (this.folder.open?.bytes ?? 0) + this.adoptedBytes
  }

  /** Closes the open segment and passes it to the reader. */
  closeSegment(): void {
    this.flush()
    this.folder.closeSegment()
  }

  /** Removes the folder if all its clicks are in the database. Otherwise leaves it to be adopted. */
  async close(): Promise<void> {
    this.closeSegment()
    this.stopHeartbeat()
    if (this.closed.size > 0) return this.folder.release()
    // An empty folder that a failing disk keeps is removed after the next start.
    await this.folder.removeFolder().catch((error: Error) => this.noteFault(error))
  }

  private readonly flush = (): void => {
    const { callbacks } = this
    if (callbacks.length === 0) return
    this.callbacks = []
    const failure = this.writeToDisk()
    if (failure !== null) this.writeDirectly(callbacks, failure)
    this.lines.clear()
    if (failure === null) this.runCallbacks(callbacks)
  }

  /** Writes the open group to disk. Returns the statistic that counts its clicks if the write fails. */
  private writeToDisk(): 'dropped' | 'lost' | null {
    if (this.bytes + this.lines.length > this.maxBytes) return 'dropped'
    try {
      this.folder.writeLines(this.lines.getBytes(), this.lines.lineCount)
      this.isFailing = false
      return null
    } catch (error) {
      this.noteFault(error as Error)
      return 'lost'
    }
  }

  private writeDirectly(callbacks: readonly unknown[], failure: 'dropped' | 'lost'): void {
    const { reader, lines } = this
    const { length, lineCount } = lines
    if (!reader || this.directBytes + length > maxDirectBytes) {
      this[failure] += lineCount
      return this.runCallbacks(callbacks)
    }
    this.directBytes += length
    reader.writeDirectly(Uint8Array.from(lines.getBytes()), (isWritten) => {
      this.directBytes -= length
      if (!isWritten) this[failure] += lineCount
      this.runCallbacks(callbacks)
    })
  }

  private runCallbacks(callbacks: readonly unknown[]): void {
    for (let i = 0; i < callbacks.length; i += 2)
      try {
        ;(callbacks[i] as Callback<unknown>)(callbacks[i + 1])
      } catch (error) {
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

/** Whether a disk fault may pass while the service runs. Other faults, such as a missing permission, fail startup. */
function isTransientFault(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
}
