/**
 * The folder that this process writes its clicks to. While the process is frozen, another one may take it for dead and
 * adopt the folder. So the process moves to a new folder when it finds that it slept, and it looks after each write.
 */
import { GrowingIds } from '../../platform/database/ids.js'
import {
  asleepAfterMs,
  makeFolder,
  releaseFolder,
  removeFolder,
  thisProcess,
  touchFolder,
} from './folders.js'
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
  /** The owner moves to another folder after this silence. It is shorter than the silence after which others adopt. */
  asleepAfterMs?: number
  write: WriteBytes
  now: () => number
  onClosed: (segment: ClosedSegment) => void
  /** The process writes to the folder with this ID from now on. */
  onMoved: (id: string) => void
}

export class OwnFolder {
  private readonly self = thisProcess()
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

  /** Throws unless all lines are in a file that this process owns. */
  write(lines: Uint8Array, clicks: number): void {
    // If the process was frozen after the first check, another one may have adopted the folder and read the file to its
    // end before this write. Lines that are written twice count once, because their IDs are the same.
    do {
      if (this.path === null || this.hasSlept()) this.move()
      this.append(this.path!, lines, clicks)
    } while (this.hasSlept())
  }

  /** Makes the clicks so far readable. */
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
  move(): void {
    this.release()
    const now = this.options.now()
    const id = this.ids.next(now)
    this.path = makeFolder(this.root, id, this.self)
    this.aliveAt = { wall: now, monotonic: performance.now() }
    this.options.onMoved(id)
  }

  /** Shows other processes that this one lives. */
  beat(): void {
    if (this.path === null) return
    const now = this.options.now()
    try {
      if (this.hasSlept()) return this.move()
      touchFolder(this.path, now)
      this.aliveAt = { wall: now, monotonic: performance.now() }
    } catch {
      // The folder was adopted or deleted, so the next write creates another one.
      this.release()
    }
  }

  /** Leaves the folder to other processes. */
  release(): void {
    this.closeSegment()
    if (this.path !== null) releaseFolder(this.path)
    this.path = null
  }

  async remove(): Promise<void> {
    const { path } = this
    this.release()
    if (path !== null) await removeFolder(path)
  }

  private append(folder: string, lines: Uint8Array, clicks: number): void {
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

  /** Reads two clocks: only the wall clock runs while the machine is suspended, and only the other is never set back. */
  private hasSlept(): boolean {
    const { wall, monotonic } = this.aliveAt
    const limit = this.options.asleepAfterMs ?? asleepAfterMs
    return this.options.now() - wall > limit || performance.now() - monotonic > limit
  }
}
