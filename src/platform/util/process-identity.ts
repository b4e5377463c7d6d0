/** Identifies a process even after its PID was given to another one. */
import { readFileSync, readlinkSync } from 'node:fs'

/** Everything but the PID is null on a system without /proc. */
export interface ProcessIdentity {
  pid: number
  /** Start of the process in clock ticks since boot. Identifies the process together with the PID. */
  startTime: string | null
  bootId: string | null
  pidNamespace: string | null
}

export function getThisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: readStartTime(process.pid),
    bootId: tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: tryRead(() => readlinkSync('/proc/self/ns/pid')),
  }
}

/** Null if `self` cannot see the process: another container, another host, an earlier boot or no /proc. */
export function isProcessAlive(
  { pid, startTime, bootId, pidNamespace }: Partial<ProcessIdentity>,
  self: ProcessIdentity,
): boolean | null {
  if (!pid || !startTime || !self.pidNamespace || !self.bootId) return null
  if (pidNamespace !== self.pidNamespace || bootId !== self.bootId) return null
  return readStartTime(pid) === startTime
}

/** Null if no process has this PID. A zombie does not count, because it does nothing anymore. */
function readStartTime(pid: number): string | null {
  return tryRead(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name is in parentheses and may contain spaces and parentheses, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  })
}

function tryRead<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
