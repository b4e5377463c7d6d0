/** Checks of what a start needs from the machine. */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { listJournals } from '../../clicks/journal/folders.js'
import { quarantineFile } from '../../clicks/journal/quarantine.js'
import { prepareDataFolder } from '../../platform/database/embedded/data-folder.js'
import { fail, NotMadeYet, ok, warn } from './check.js'
import type { Finding } from './check.js'

const oldestNode = [20, 19] as const
const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
/** With less free space the next writes fail: the database's log grows by 16 MiB at a time, the click journal by 1. */
const leastFree = 100 * mebibyte

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isNewEnough
    ? ok(`Node.js ${version}.`)
    : fail(`Node.js ${version} is too old. Install ${oldestNode.join('.')} or newer.`)
}

export async function dataFolder(dataDir: string): Promise<Finding> {
  await stat(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new NotMadeYet(
      `There is no data folder ${dataDir}. The first start makes it; if the service has run before, set DATA_DIR to its folder.`,
    )
  })
  await prepareDataFolder(dataDir)
  return ok(`${dataDir} can be written.`)
}

export async function diskSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  return spaceLeft(bavail * bsize, dataDir)
}

export function spaceLeft(free: number, dataDir: string): Finding {
  const size = free < gibibyte ? `${Math.floor(free / mebibyte)} MiB` : `${(free / gibibyte).toFixed(1)} GiB`
  if (free < leastFree)
    return fail(
      `The disk of ${dataDir} is full: ${size} are free, and less than ${leastFree / mebibyte} MiB is too little to write to. Make room now.`,
    )
  return free < gibibyte
    ? warn(`Only ${size} are free on the disk of ${dataDir}. Make room before it is full.`)
    : ok(`${size} are free.`)
}

/** Clicks that do not reach the database: journals of ended processes, and the quarantine. */
export async function journals(dataDir: string): Promise<Finding> {
  const root = join(dataDir, 'clicks')
  if (!(await exists(root))) return ok('No clicks were recorded yet.')
  const unread = (await listJournals(root)).filter(({ isOwned }) => !isOwned)
  if (unread.length > 0)
    return warn(
      `No process reads ${unread.map(({ path }) => path).join(', ')}. A service with this DATA_DIR writes such clicks to the database within 30 s; without one, run: link-service journal drain`,
    )
  if (await exists(quarantineFile(root)))
    return warn(
      `The database cannot take the clicks in ${quarantineFile(root)}. The log says why. Report it, then move the file away.`,
    )
  return ok('Each journal is read by its process.')
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
