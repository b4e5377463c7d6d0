/**
 * Who owns a folder, and whether that process still lives. In the same pid namespace of the same boot this is known
 * for certain: the pid and the moment its process started. Elsewhere (another container, another host, no /proc) only
 * the heartbeat speaks: the modification time of the owner's file.
 */
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname } from 'node:os'

import { isMissing } from './segments.js'

export const ownerHeartbeatMs = 5_000
/** After this silence others take the folder over. */
export const deadAfterMs = 60_000
/** After this silence the owner itself trusts its folder no more; well before others may take it. */
export const asleepAfterMs = 30_000

export interface Owner {
  pid: number
  /** Ticks from the boot to the start of the process; with the pid it names a process for good. */
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

/** False for a folder that was released (its owner's file is gone) and for one whose owner died. */
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

/** Null for a pid without a process; a zombie writes no more and counts as none. */
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
