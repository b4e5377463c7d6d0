/**
 * The folders below `<dataDir>/clicks`, and who owns them. A folder has the id of its journal as its name. Once it was
 * left behind and adopted, its name is `<adopter>~<id>`, and it belongs to the owner of the folder `<adopter>`.
 * Adopting is one rename, so one of two adopters wins. The folders of an adopter that dies can be adopted again.
 */
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'

import { isMissing } from './segments.js'

export const ownerHeartbeatMs = 5_000
/** After this silence others take the folder over. */
const deadAfterMs = 60_000
/** After this silence the owner itself no longer trusts its folder. Others may take it only much later. */
export const asleepAfterMs = 30_000

export interface Owner {
  pid: number
  /** Clock ticks from the boot to the start of the process. Together with the pid they identify a process for good. */
  startTime: string | null
  bootId: string | null
  pidNamespace: string | null
  hostname: string
}

export function thisProcess(): Owner {
  return {
    pid: process.pid,
    startTime: runningSince(process.pid),
    bootId: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
    hostname: hostname(),
  }
}

/**
 * Whether the owner lives. In the same pid namespace of the same boot the pid and the start time of its process say so
 * for certain. Elsewhere (another container, another host, no /proc) only the heartbeat does: the modification time of
 * the owner's file. False for a folder that was released (its owner's file is gone) and for one whose owner died.
 */
export function isOwned(ownerFile: string, self: Owner, now: number): boolean {
  try {
    const touched = statSync(ownerFile).mtimeMs
    const owner = orNull(() => JSON.parse(readFileSync(ownerFile, 'utf8')) as Partial<Owner>)
    return certainlyAlive(owner, self) ?? now - touched < deadAfterMs
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Null when this process cannot know. */
function certainlyAlive(owner: Partial<Owner> | null, self: Owner): boolean | null {
  if (!owner?.pid || !owner.startTime || !self.pidNamespace || !self.bootId) return null
  if (owner.pidNamespace !== self.pidNamespace || owner.bootId !== self.bootId) return null
  return runningSince(owner.pid) === owner.startTime
}

/** Null for a pid without a process. A zombie counts as none, because it writes no more. */
function runningSince(pid: number): string | null {
  return orNull(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may itself hold spaces and parentheses: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  })
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const ownerFile = 'owner.json'
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const folderName = new RegExp(`^(?:(${uuid})~)?(${uuid})$`)
const unfinishedName = new RegExp(`^\\.new-${uuid}$`)

/** Makes the folder of a living process. It appears under its name with its owner in it, or not at all. */
export function makeFolder(root: string, id: string, owner: Owner): string {
  const unfinished = join(root, `.new-${id}`)
  const folder = join(root, id)
  try {
    // Visits are personal data, so only the service's own user may read them.
    mkdirSync(unfinished, { recursive: true, mode: 0o700 })
    writeFileSync(join(unfinished, ownerFile), JSON.stringify(owner))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  return folder
}

/** Says that the owner lives. Throws when the folder is no longer there. */
export function touchFolder(folder: string, now: number): void {
  utimesSync(join(folder, ownerFile), now / 1000, now / 1000)
}

/** Gives the folder up. Another process will adopt it. */
export function releaseFolder(folder: string): void {
  rmSync(join(folder, ownerFile), { force: true })
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Adopts every folder whose owner is gone. Returns the paths of all folders that this adopter has now, oldest first.
 * Calls `onFault` for each folder that cannot be adopted.
 */
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
      // A folder that is missing was adopted by another process.
      if (!isMissing(error)) onFault(error as Error)
    }
  }
  const age = (path: string): string => basename(path).slice(-36)
  return adopted.sort((a, b) => (age(a) < age(b) ? -1 : 1))
}

export interface JournalFolder {
  path: string
  isOwned: boolean
}

/** All journals below a folder, and whether a living process reads them. */
export async function listJournals(root: string): Promise<JournalFolder[]> {
  const self = thisProcess()
  return (await readdir(root)).flatMap((name) => {
    const [, adopter, id] = folderName.exec(name) ?? []
    if (id === undefined) return []
    return [
      { path: join(root, name), isOwned: isOwned(join(root, adopter ?? id, ownerFile), self, Date.now()) },
    ]
  })
}

/** Removes a folder whose process died while it made it. There is no click in it yet. */
async function removeUnfinished(path: string, now: number): Promise<void> {
  const touched = await stat(path).catch(() => null)
  if (touched && now - touched.mtimeMs > deadAfterMs) await removeFolder(path)
}
