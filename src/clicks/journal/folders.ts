/**
 * The folders in `<dataDir>/clicks` and their owners. A folder is named after its ID. An adopted folder is named
 * `<adopter>~<id>` and belongs to the owner of the folder `<adopter>`. Adoption is one rename, so only one of several
 * adopters succeeds. If the adopter dies, its folders can be adopted again.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'

import { getThisProcess, isProcessAlive } from '../../platform/util/process-identity.js'
import type { ProcessIdentity } from '../../platform/util/process-identity.js'
import { isMissing } from './segments.js'

export const ownerHeartbeatMs = 5_000
/** Other processes may adopt a folder this long after its last heartbeat. */
const deadAfterMs = 60_000
/** The owner moves to a new folder if its last heartbeat is older. Must be well below `deadAfterMs`. */
export const asleepAfterMs = 30_000

export interface Owner extends ProcessIdentity {
  hostname: string
}

export function getOwner(): Owner {
  return { ...getThisProcess(), hostname: hostname() }
}

/**
 * Whether the owner is alive. In this PID namespace and since this boot, PID and start time decide. Otherwise (another
 * container, another host, no /proc) the heartbeat decides: the modification time of the owner file. A released folder
 * has no owner file.
 */
export function isOwned(ownerFile: string, self: ProcessIdentity, now: number): boolean {
  try {
    const touched = statSync(ownerFile).mtimeMs
    const owner = readOwner(ownerFile)
    return (owner && isProcessAlive(owner, self)) ?? now - touched < deadAfterMs
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Null if the file is unreadable. */
function readOwner(file: string): Partial<Owner> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner> | null
  } catch {
    return null
  }
}

const ownerFile = 'owner.json'
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const folderName = new RegExp(`^(?:(${uuid})~)?(${uuid})$`)
const unfinishedName = new RegExp(`^\\.new-${uuid}$`)

/** Creates a folder together with its owner file. The final rename makes this atomic. */
export function createFolder(root: string, id: string, owner: Owner): string {
  const unfinished = join(root, `.new-${id}`)
  const folder = join(root, id)
  try {
    // Clicks are personal data, so only the service's user may read them.
    mkdirSync(unfinished, { recursive: true, mode: 0o700 })
    writeFileSync(join(unfinished, ownerFile), JSON.stringify(owner))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  return folder
}

/** Renews the heartbeat. Throws if the folder does not exist. */
export function touchFolder(folder: string, now: number): void {
  utimesSync(join(folder, ownerFile), now / 1000, now / 1000)
}

/** Gives up ownership, so that another process adopts the folder. */
export function releaseFolder(folder: string): void {
  rmSync(join(folder, ownerFile), { force: true })
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Adopts all folders without a living owner. Returns the paths of all folders of this adopter, oldest first. */
export async function adoptFolders(
  root: string,
  adopterId: string,
  self: Owner,
  now: number,
  onFault: (error: Error) => void,
): Promise<string[]> {
  const adopted: string[] = []
  for (const name of await readdir(root)) {
    const match = folderName.exec(name)
    if (unfinishedName.test(name)) await removeUnfinished(join(root, name), now)
    if (!match) continue
    const [, adopter, id] = match
    if (adopter === adopterId) adopted.push(join(root, name))
    const owner = adopter ?? id!
    try {
      if (owner === adopterId || isOwned(join(root, owner, ownerFile), self, now)) continue
      const target = join(root, `${adopterId}~${id}`)
      await rename(join(root, name), target)
      adopted.push(target)
    } catch (error) {
      // A missing folder was adopted by another process.
      if (!isMissing(error)) onFault(error as Error)
    }
  }
  const getId = (path: string): string => basename(path).slice(-36)
  return adopted.sort((a, b) => (getId(a) < getId(b) ? -1 : 1))
}

export interface JournalFolder {
  path: string
  isOwned: boolean
}

/** Lists all journal folders, and whether each has a living owner. */
export async function listJournals(root: string): Promise<JournalFolder[]> {
  const self = getThisProcess()
  return (await readdir(root)).flatMap((name) => {
    const [, adopter, id] = folderName.exec(name) ?? []
    if (id === undefined) return []
    return [
      { path: join(root, name), isOwned: isOwned(join(root, adopter ?? id, ownerFile), self, Date.now()) },
    ]
  })
}

/** Removes a folder whose process died before `createFolder` returned. It contains no clicks. */
async function removeUnfinished(path: string, now: number): Promise<void> {
  const touched = await stat(path).catch(() => null)
  if (touched && now - touched.mtimeMs > deadAfterMs) await removeFolder(path)
}
