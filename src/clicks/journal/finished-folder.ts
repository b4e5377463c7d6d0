/** A folder that nobody writes to any more: its segments are all there, and all of their final size. */
import { FolderReader } from './folder-reader.js'
import type { SegmentSource } from './folder-reader.js'
import { fileSize, listSegments, readCheckpoint, segmentPath } from './segments.js'

class FinishedSegments implements SegmentSource {
  readonly growing = false

  constructor(
    private readonly segments: number[],
    public bytes: number,
  ) {}

  after(segment: number): number | null {
    return this.segments.find((other) => other > segment) ?? null
  }

  readableBytes(): number {
    return Infinity
  }

  removed(bytes: number): void {
    this.bytes -= bytes
  }
}

export async function readFinishedFolder(folder: string): Promise<FolderReader> {
  const [segments, checkpoint] = await Promise.all([listSegments(folder), readCheckpoint(folder)])
  const first = segments[0] ?? 1
  const place = checkpoint && checkpoint.segment >= first ? checkpoint : { segment: first, offset: 0 }
  const ahead = segments.filter((segment) => segment >= place.segment)
  return new FolderReader(folder, new FinishedSegments(ahead, await bytesOf(folder, ahead)), place)
}

export async function bytesOf(folder: string, segments?: number[]): Promise<number> {
  const numbers = segments ?? (await listSegments(folder))
  const sizes = await Promise.all(numbers.map((segment) => fileSize(segmentPath(folder, segment))))
  return sizes.reduce((sum, size) => sum + size, 0)
}
