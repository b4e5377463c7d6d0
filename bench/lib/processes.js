/** Processor time and memory of processes, from /proc. Null on other systems than Linux. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const isLinux = process.platform === 'linux'
const tickMs = isLinux ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN

/** Returns the fields after the process name, which may contain spaces. */
function fields(file) {
  try {
    const text = readFileSync(file, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const spent = (all) => (all ? (Number(all[11]) + Number(all[12])) * tickMs : 0)

/** Returns the processor time of the main thread, which runs the event loop of Node.js. */
export const mainThreadMs = (pid) => (isLinux ? spent(fields(`/proc/${pid}/task/${pid}/stat`)) : null)

/** Returns the processor time of all threads. */
export const processMs = (pid) => (isLinux ? spent(fields(`/proc/${pid}/stat`)) : null)

/** Returns the processor time of a process and its descendants, including exited ones. */
export function familyMs(pid) {
  if (!isLinux) return null
  let sum = 0
  for (const member of family(pid)) {
    const all = fields(`/proc/${member}/stat`)
    if (all) sum += spent(all) + (Number(all[13]) + Number(all[14])) * tickMs
  }
  return sum
}

/** Returns a process and its descendants, or only the process without /proc. */
export function family(pid) {
  if (!isLinux) return [pid]
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const all = fields(`/proc/${name}/stat`)
    if (all) parents.set(Number(name), Number(all[1]))
  }
  const found = [pid]
  for (const member of found) for (const [child, parent] of parents) if (parent === member) found.push(child)
  return found.filter((member) => parents.has(member))
}

export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/**
 * Returns memory in MB. Shared memory counts in full for each process in `rss`, in proportion in `pss`, and not in
 * `own`. `pss` and `own` are NaN if this user may not read them.
 */
export function memoryOf(pids) {
  const sum = { rss: 0, pss: 0, own: 0 }
  for (const pid of pids) {
    sum.rss += kilobytes(`/proc/${pid}/status`, 'VmRSS')
    sum.pss += kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss')
    sum.own += kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss_Anon')
  }
  return { rss: sum.rss / 1024, pss: sum.pss / 1024, own: sum.own / 1024 }
}

function kilobytes(file, name) {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? NaN)
  } catch (error) {
    // The process may have exited.
    return error.code === 'ENOENT' || error.code === 'ESRCH' ? 0 : NaN
  }
}
