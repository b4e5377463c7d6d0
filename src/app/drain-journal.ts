/** The command `journal drain`: writes the clicks of stopped processes to the database. */
import { join, resolve } from 'node:path'

import { ingestSegments } from '../clicks/ingest/ingest-loop.js'
import { unlimitedPace } from '../clicks/ingest/ingest-pace.js'
import { Locations } from '../clicks/ingest/locations.js'
import { listJournals } from '../clicks/journal/folders.js'
import type { JournalFolder } from '../clicks/journal/folders.js'
import { SegmentQueue } from '../clicks/journal/segment-queue.js'
import { isMissing } from '../clicks/journal/segments.js'
import { history } from '../migrations/history.js'
import { print } from '../platform/command-line/output.js'
import type { RunningSettings, Settings } from '../settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { newId } from '../platform/database/ids.js'
import { openExistingDatabase } from '../platform/database/open-database.js'
import { createIngester } from './create-ingester.js'

const mebibyte = 1024 * 1024

export async function drainJournals(
  settings: Settings,
  folder = join(settings.dataDir, 'clicks'),
): Promise<void> {
  const root = resolve(folder)
  await rejectOwnedJournals(root)
  const database = await openExistingDatabase(settings, history)
  let clicks: number
  try {
    clicks = await writeToDatabase(database.settings, root)
  } finally {
    await database.release()
  }
  const remaining = await journalsIn(root)
  if (remaining.length === 0)
    return print(clicks === 0 ? 'The journals contain no clicks.' : 'All clicks are in the database.')
  throw new StartupError(
    `These journals cannot be read completely: ${remaining.map(({ path }) => path).join(', ')}. Fix the disk, then run the command again.`,
  )
}

async function rejectOwnedJournals(root: string): Promise<void> {
  const owned = (await journalsIn(root)).filter(({ isOwned }) => isOwned)
  if (owned.length === 0) return
  throw new StartupError(
    `A running process writes to ${owned.map(({ path }) => path).join(', ')}. Stop it first. If a process on another machine or in another container ended without SIGTERM, wait one minute.`,
  )
}

async function journalsIn(root: string): Promise<JournalFolder[]> {
  try {
    return await listJournals(root)
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new StartupError(
      `The folder ${root} does not exist. Use the folder \`clicks\` in the DATA_DIR of the stopped process.`,
    )
  }
}

/** Returns the number of clicks. */
async function writeToDatabase(settings: RunningSettings, root: string): Promise<number> {
  const warn = (message: string): void => void process.stderr.write(`${message}\n`)
  const log = { info: warn, warn }
  let bytes = 0
  const queue = new SegmentQueue({
    root,
    folderId: newId(),
    segments: [],
    onAdopted: (adoptedBytes) => (bytes = Math.max(bytes, adoptedBytes)),
    onFault: (error) => warn(`Click journal: ${error.message}`),
  })
  const locations = new Locations(settings.geoipDb, log)
  await locations.open()
  // Workers poll for due deliveries, so no lane has to be woken.
  const ingester = createIngester({ settings, root, locations, log, wakeLanes: () => undefined })
  try {
    let [clicks, done] = [0, 0]
    for (;;) {
      const segments = await queue.nextSegments(unlimitedPace.bytesPerBatch)
      if (segments.length === 0) break
      clicks += (await ingestSegments({ queue, ingester }, segments)).clicks.length
      done += segments.reduce((sum, segment) => sum + segment.bytes, 0)
      print(`${inMebibytes(done)} of ${inMebibytes(bytes)} MiB: ${clicks.toLocaleString('en')} clicks`)
    }
    return clicks
  } finally {
    await ingester.close()
    locations.close()
  }
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1)
}
