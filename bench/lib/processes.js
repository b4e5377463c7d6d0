/** Processor time and memory of processes, as Linux counts them; null elsewhere. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const isLinux = process.platform === 'linux'
const tickMs = isLinux ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN

/** The fields after the name, which may hold anything: state, parent, … */
function fields(file) {
  try {
    const text = readFileSync(file, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const spent = (all) => (all ? (Number(all[11]) + Number(all[12])) * tickMs : 0)

/** Of the main thread, which is where node's event loop runs. */
export const mainThreadMs = (pid) => (isLinux ? spent(fields(`/proc/${pid}/task/${pid}/stat`)) : null)

/** Of all threads. */
export const processMs = (pid) => (isLinux ? spent(fields(`/proc/${pid}/stat`)) : null)

/** Of a process and its children, those that have ended too. */
export function familyMs(pid) {
  if (!isLinux) return null
  let sum = 0
  for (const member of family(pid)) {
    const all = fields(`/proc/${member}/stat`)
    if (all) sum += spent(all) + (Number(all[13]) + Number(all[14])) * tickMs
  }
  return sum
}

/** A process and all its descendants; the process alone where there is no /proc. */
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
 * In MB: `rss` counts what processes share once for each of them, `pss` divides it among them, `own` leaves it out.
 * The last two are NaN where the kernel does not show them to this user.
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
    // It has ended meanwhile.
    return error.code === 'ENOENT' || error.code === 'ESRCH' ? 0 : NaN
  }
}
