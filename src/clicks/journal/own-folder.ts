/** The folder that this process writes to, with its reader: the reader follows the segment that is being written. */
import { claimFolder, releaseFolder } from './folders.js'
import { FolderReader } from './folder-reader.js'
import type { SegmentSource } from './folder-reader.js'
import type { Owner } from './owner.js'
import { SegmentWriter } from './segment-writer.js'
import type { SegmentWriterOptions } from './segment-writer.js'

class LiveSegments implements SegmentSource {
  readonly growing = true

  constructor(private readonly writer: SegmentWriter) {}

  get bytes(): number {
    return this.writer.bytes
  }

  after(segment: number): number | null {
    return segment < this.writer.segment ? segment + 1 : null
  }

  readableBytes(segment: number): number {
    return segment === this.writer.segment ? this.writer.size : Infinity
  }

  removed(bytes: number): void {
    this.writer.removed(bytes)
  }
}

export class OwnFolder {
  readonly path: string
  readonly writer: SegmentWriter
  readonly reader: FolderReader
  /** Clicks written here, and those of them that were committed. */
  written = 0
  committed = 0

  constructor(
    root: string,
    readonly id: string,
    owner: Owner,
    options: SegmentWriterOptions,
  ) {
    this.path = claimFolder(root, id, owner)
    this.writer = new SegmentWriter(this.path, options)
    this.reader = new FolderReader(this.path, new LiveSegments(this.writer), { segment: 1, offset: 0 })
  }

  /** Leaves what is in it to whoever looks next. */
  abandon(): void {
    this.writer.close()
    releaseFolder(this.path)
  }
}
