/** A folder that nobody writes to any more: its segments are all there, and all of their final size. */
import { FolderReader } from './folder-reader.js'
import type { SegmentSource } from './folder-reader.js'
import type { ReaderState } from './reader-state.js'
import { fileSize, listSegments, readCheckpoint, segmentPath } from './segments.js'
import type { JournalPlace } from './segments.js'

class FinishedSegments implements SegmentSource {
  readonly growing = false
  pendingBytes = 0

  constructor(private readonly sizes: ReadonlyMap<number, number>) {}

  after(segment: number): number | null {
    for (const other of this.sizes.keys()) if (other > segment) return other
    return null
  }

  readableBytes(): number {
    return Infinity
  }

  consumed({ segment, offset }: JournalPlace): void {
    const bytes = [...this.sizes].reduce((sum, [other, size]) => (other < segment ? sum : sum + size), 0)
    this.pendingBytes = Math.max(0, bytes - offset)
  }
}

export interface FinishedFolder {
  reader: FolderReader
  segments: { readonly pendingBytes: number }
}

export async function readFinishedFolder(folder: string, state: ReaderState): Promise<FinishedFolder> {
  const [sizes, checkpoint] = await Promise.all([sizesOf(folder), readCheckpoint(folder)])
  const first = sizes.keys().next().value ?? 1
  const place = checkpoint && checkpoint.segment >= first ? checkpoint : { segment: first, offset: 0 }
  const segments = new FinishedSegments(sizes)
  segments.consumed(place)
  return { reader: new FolderReader(folder, segments, place, state), segments }
}

export async function bytesOf(folder: string): Promise<number> {
  return [...(await sizesOf(folder)).values()].reduce((sum, size) => sum + size, 0)
}

async function sizesOf(folder: string): Promise<Map<number, number>> {
  const segments = await listSegments(folder)
  const sizes = await Promise.all(segments.map((segment) => fileSize(segmentPath(folder, segment))))
  return new Map(segments.map((segment, i) => [segment, sizes[i]!]))
}
