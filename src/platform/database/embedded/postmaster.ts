/** Reads `postmaster.pid`, and checks whether its process is a server on the data folder. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The end of the path, because another checkout may have started the supervisor. */
const supervisorName = 'embedded/supervisor.js'

export interface Postmaster {
  pid: number
  port: number
  /** PostgreSQL's term: starting, ready or stopping. */
  status: string
}

/** Returns the running server of this folder, or null. Ignores the file of a dead server. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readPidFile(cluster)
  const found = text === null ? null : parsePidFile(text)
  return found && (await isServing(found.pid, cluster)) ? found : null
}

/**
 * Removes a pid file whose process ID now belongs to another program, which PostgreSQL would mistake for a server.
 * Keeps the file of a dead process, from which PostgreSQL detects orphans that still use the shared memory.
 */
export async function clearStalePidFile(cluster: string): Promise<void> {
  const original = await readPidFile(cluster)
  if (original === null) return
  const found = parsePidFile(original)
  // The file was truncated by a power failure, or is being written.
  if (!found) await setTimeout(300)
  if (found && (!isAlive(found.pid) || (await isServing(found.pid, cluster)))) return
  // Another server may have replaced the file. Move the file away, compare it, and restore it if it is a new one.
  const file = getPidFile(cluster)
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  await rename(file, aside).catch(() => undefined)
  if ((await readFile(aside, 'utf8').catch(() => original)) !== original)
    await link(aside, file).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Returns whether the process is a PostgreSQL server on this folder. */
export async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux')
    return readCommand(pid).includes(cluster) && readCommand(pid).includes('postgres')
  try {
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    // If an image of another architecture runs under an emulator, the first part is the emulator.
    if (!args.slice(0, 2).some((program) => basename(program).startsWith('postgres'))) return false
    // Root in a container may not read the working directory of another user's process, but can read its arguments.
    const own = await stat(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES' || error.code === 'EPERM') return null
      throw error
    })
    if (own === null) return args.includes(cluster)
    const ours = await stat(cluster)
    return own.dev === ours.dev && own.ino === ours.ino
  } catch {
    return false
  }
}

/** Returns whether the supervisor that started this server is still running, and will stop the server. */
export async function isSupervised(pid: number): Promise<boolean> {
  try {
    if (process.platform !== 'linux') return readCommand(Number(runPs('ppid', pid))).includes(supervisorName)
    // The name of the program, in parentheses, may have spaces.
    const [, , parent] = /^\d+ \(.*\) (\w) (\d+)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? []
    return (await readFile(`/proc/${parent}/cmdline`, 'utf8')).includes(supervisorName)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readCommand(pid: number): string {
  return runPs('args', pid)
}

function runPs(column: 'args' | 'ppid', pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function getPidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

async function readPidFile(cluster: string): Promise<string | null> {
  return await readFile(getPidFile(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

function parsePidFile(text: string): Postmaster | null {
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isInteger(pid) || pid <= 1 || !Number.isInteger(port) || port <= 0) return null
  return { pid, port, status: lines[7]?.trim() ?? 'starting' }
}
