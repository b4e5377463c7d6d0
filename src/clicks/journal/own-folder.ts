/**
 * The folder that this process writes its clicks to. If the process is frozen for long, another process may adopt the
 * folder. So the process checks after each write whether it was frozen, and moves to a new folder if it was.
 */
import { GrowingIds } from '../../platform/database/ids.js'
import { asleepAfterMs, createFolder, releaseFolder, removeFolder, getOwner, touchFolder } from './folders.js'
import { isMissing, OpenSegment } from './segments.js'
import type { JournalSegment, WriteBytes } from './segments.js'

/** A closed segment of this process. */
export interface ClosedSegment extends JournalSegment {
  clicks: number
  openedAt: number
}

export interface OwnFolderOptions {
  segmentBytes: number
  segmentMs: number
  /** The owner moves to a new folder after this pause. Other processes adopt the folder only after a longer one. */
  asleepAfterMs?: number
  write: WriteBytes
  now: () => number
  onClosed: (segment: ClosedSegment) => void
  /** Called with the ID of the new folder when the process moves. */
  onMoved: (id: string) => void
}

export class OwnFolder {
  private readonly self = getOwner()
  private readonly ids = new GrowingIds()
  private path: string | null = null
  private segments = 0
  private segment: OpenSegment | null = null
  private closing: NodeJS.Timeout | undefined
  private aliveAt = { wall: 0, monotonic: 0 }

  constructor(
    private readonly root: string,
    private readonly options: OwnFolderOptions,
  ) {}

  get open(): OpenSegment | null {
    return this.segment
  }

  /** Writes the lines to a file that this process owns, or throws. */
  writeLines(lines: Uint8Array, clicks: number): void {
    try {
      this.writeToOwnFolder(lines, clicks)
    } catch (error) {
      if (!isMissing(error)) throw error
      // Another process adopted the folder before the file was opened. This process moves to a new folder.
      this.writeToOwnFolder(lines, clicks)
    }
  }

  /** Closes the open segment, so that its clicks can be read. */
  closeSegment(): void {
    const { segment } = this
    if (!segment) return
    clearTimeout(this.closing)
    this.segment = null
    segment.close()
    const { path, bytes, clicks, openedAt } = segment
    if (bytes > 0) this.options.onClosed({ path, bytes, clicks, openedAt })
  }

  /** Moves to a new folder. Throws if it cannot be created. */
  moveToNewFolder(): void {
    this.release()
    const now = this.options.now()
    const id = this.ids.nextId(now)
    this.path = createFolder(this.root, id, this.self)
    this.aliveAt = { wall: now, monotonic: performance.now() }
    this.options.onMoved(id)
  }

  /** Sends a heartbeat, which tells other processes that this one is alive. */
  sendHeartbeat(): void {
    if (this.path === null) return
    const now = this.options.now()
    try {
      if (this.hasSlept()) return this.moveToNewFolder()
      touchFolder(this.path, now)
      this.aliveAt = { wall: now, monotonic: performance.now() }
    } catch {
      // The folder was adopted or deleted. The next write creates a new one.
      this.release()
    }
  }

  /** Leaves the folder to be adopted by another process. */
  release(): void {
    this.closeSegment()
    const { path } = this
    this.path = null
    try {
      if (path !== null) releaseFolder(path)
    } catch {
      // On a failing disk, the folder is adopted after this process has ended.
    }
  }

  async removeFolder(): Promise<void> {
    const { path } = this
    this.release()
    if (path !== null) await removeFolder(path)
  }

  private writeToOwnFolder(lines: Uint8Array, clicks: number): void {
    // If the process was frozen between the first check and the write, another process may have read the file to its
    // end before the write. Lines that are written twice count once, because they have the same IDs.
    do {
      if (this.path === null || this.hasSlept()) this.moveToNewFolder()
      this.appendToSegment(this.path!, lines, clicks)
    } while (this.hasSlept())
  }

  private appendToSegment(folder: string, lines: Uint8Array, clicks: number): void {
    const { segmentBytes, segmentMs, write, now } = this.options
    try {
      if (!this.segment) {
        this.segment = new OpenSegment(folder, ++this.segments, now(), write)
        this.closing = setTimeout(() => this.closeSegment(), segmentMs).unref()
      }
      this.segment.write(lines, clicks)
    } catch (error) {
      if (isMissing(error)) this.release()
      else this.closeSegment()
      throw error
    }
    if (this.segment.bytes >= segmentBytes) this.closeSegment()
  }

  /** Uses two clocks: the monotonic clock stops while the machine is suspended, and the wall clock can be set back. */
  private hasSlept(): boolean {
    const { wall, monotonic } = this.aliveAt
    const limit = this.options.asleepAfterMs ?? asleepAfterMs
    return this.options.now() - wall > limit || performance.now() - monotonic > limit
  }
}
