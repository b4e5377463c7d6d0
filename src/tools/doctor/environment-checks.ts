/** Checks the machine, the data folder, the public URL, and files that settings name. */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { listJournals } from '../../clicks/journal/folders.js'
import { getQuarantineFile } from '../../clicks/journal/quarantine.js'
import { requireLocations } from '../../clicks/ingest/locations.js'
import { readVisitorPages } from '../../links/redirect/visitor-pages.js'
import { isLoopback } from '../../links/urls.js'
import { prepareDataFolder } from '../../platform/database/embedded/data-folder.js'
import { readBranding } from '../../platform/http/branding.js'
import type { Settings } from '../../settings.js'
import { readAuthorities } from '../../webhooks/authorities.js'
import { currentMs } from '../../platform/util/clock.js'
import { listScheduledBackups } from '../backup/scheduled-backups.js'
import { fail, NotCreatedYet, ok, warn } from './check.js'
import type { Finding } from './check.js'
import { commandText } from '../../platform/util/program.js'

const oldestNode = [20, 19] as const
const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
/** With less free space, writes fail soon. The write-ahead log of PostgreSQL grows by 16 MiB at a time. */
const minFree = 100 * mebibyte

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
    throw new NotCreatedYet(
      `There is no data folder ${dataDir}. The first start creates it. If the service has run before, set DATA_DIR to its data folder.`,
    )
  })
  await prepareDataFolder(dataDir)
  return ok(`${dataDir} is writable.`)
}

/** Checks the age of the newest scheduled backup of a cluster, or of any if the database cannot be reached. */
export async function backups(
  folder: string,
  everySeconds: number,
  cluster: string | null,
): Promise<Finding> {
  const [newest] = await listScheduledBackups(folder, cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (!newest)
    return warn(
      `There is no scheduled backup of this database in ${folder}. A running service creates the first one after its start.`,
    )
  const hours = ((currentMs() - newest.time) / 3_600_000).toFixed(1)
  return currentMs() - newest.time > 2 * everySeconds * 1000
    ? fail(
        `The newest backup in ${folder} is ${hours} hours old. Check that the service runs. If it does, its log has the reason.`,
      )
    : ok(`The newest backup is ${hours} hours old: ${newest.path}.`)
}

export async function diskSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  return spaceLeft(bavail * bsize, dataDir)
}

export function spaceLeft(free: number, dataDir: string): Finding {
  const size = free < gibibyte ? `${Math.floor(free / mebibyte)} MiB` : `${(free / gibibyte).toFixed(1)} GiB`
  if (free < minFree)
    return fail(
      `The disk of ${dataDir} is full: ${size} are free, and the service needs at least ${minFree / mebibyte} MiB. Free up disk space now.`,
    )
  return free < gibibyte
    ? warn(`Only ${size} are free on the disk of ${dataDir}. Free up disk space soon.`)
    : ok(`${size} are free.`)
}

/** Finds clicks that do not reach the database: journals of ended processes, and the quarantine. */
export async function journals(dataDir: string): Promise<Finding> {
  const root = join(dataDir, 'clicks')
  if (!(await exists(root))) return ok('No clicks have been recorded.')
  const unread = (await listJournals(root)).filter(({ isOwned }) => !isOwned)
  if (unread.length > 0)
    return warn(
      `No process reads ${unread.map(({ path }) => path).join(', ')}. A running service with this DATA_DIR writes these clicks to the database within 30 s. Otherwise, run: ${commandText('journal drain')}`,
    )
  if (await exists(getQuarantineFile(root)))
    return warn(
      `The database rejected the clicks in ${getQuarantineFile(root)}. The log has the reason. Report this problem, then move the file to another folder.`,
    )
  return ok('Every journal is read by its process.')
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

export function publicUrl(configured: string): Finding {
  const url = new URL(configured)
  return url.protocol === 'http:' && !isLoopback(url)
    ? warn(
        `PUBLIC_URL is ${configured}, so tokens are sent without encryption. Run the service behind a proxy with TLS, and set PUBLIC_URL to the https URL of the proxy.`,
      )
    : ok(`${configured}.`)
}

export async function countryFile(file: string): Promise<Finding> {
  await requireLocations(file)
  return ok(`${file} is valid.`)
}

export function authorityFile(file: string): Finding {
  readAuthorities(file)
  return ok(`${file} is valid.`)
}

/** Checks the logo and the pages for visitors, which prevent the start if they are unusable. */
export async function appearance(settings: Settings): Promise<Finding> {
  await readVisitorPages(settings.pagesDir, await readBranding(settings))
  return ok('The logo and the error pages for visitors are valid.')
}
