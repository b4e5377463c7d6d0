/** The reading end of a folder that is being written to, by another thread of the same process. */
import { FolderProgress } from './folder-progress.js'
import { FolderReader } from './folder-reader.js'
import type { SegmentSource } from './folder-reader.js'
import type { SharedFolder } from './own-folder.js'
import type { ReaderState } from './reader-state.js'
import { isMissing, listSegments, readCheckpoint, removeSegment } from './segments.js'
import type { JournalPlace } from './segments.js'

class LiveSegments implements SegmentSource {
  readonly growing = true

  constructor(private readonly progress: FolderProgress) {}

  after(segment: number): number | null {
    return segment < this.progress.segment ? segment + 1 : null
  }

  readableBytes(segment: number): number {
    return segment === this.progress.segment ? this.progress.size : Infinity
  }

  consumed(place: JournalPlace, clicks: number): void {
    this.progress.consume(place, clicks)
  }
}

/** Where a reader before this one stopped is where this one begins. */
export async function readLiveFolder(
  { path, progress: shared }: SharedFolder,
  state: ReaderState,
): Promise<FolderReader> {
  const progress = new FolderProgress(shared)
  const place = await whereToBegin(path)
  progress.consume(place, 0)
  return new FolderReader(path, new LiveSegments(progress), place, state)
}

async function whereToBegin(path: string): Promise<JournalPlace> {
  const beginning = { segment: 1, offset: 0 }
  try {
    const place = (await readCheckpoint(path)) ?? beginning
    // The one before may have died between its checkpoint and the removal.
    for (const segment of await listSegments(path))
      if (segment < place.segment) await removeSegment(path, segment)
    return place
  } catch (error) {
    // Given up and taken over meanwhile; the next folder is on its way.
    if (isMissing(error)) return beginning
    throw error
  }
}
