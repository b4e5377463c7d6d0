/** A lock on the checkout for installing and building, which is valid while a process that holds it is alive. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * Runs the work while holding the lock. The lock is a folder with an empty subfolder for each holder: a rename creates
 * it atomically, and git ignores empty folders. `share(pid)` adds a child process as a holder, because it may outlive
 * this process.
 */
export async function oneAtATime(lock, work, onWait) {
  await acquire(lock, onWait)
  try {
    return await work((pid) => addHolder(lock, pid))
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function acquire(lock, onWait) {
  for (let waited = false; !(await tryToAcquire(lock));) {
    const holders = await holdersOf(lock)
    if (await anyAlive(holders)) {
      if (!waited) onWait()
      waited = true
      await setTimeout(200)
    } else await breakLock(lock, holders)
  }
}

async function tryToAcquire(lock) {
  const draft = `${lock}-${process.pid}-${randomBytes(4).toString('hex')}`
  await addHolder(draft, process.pid)
  try {
    // A rename onto a non-empty folder fails, so only one process succeeds.
    await rename(draft, lock)
    return true
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return false
    throw error
  }
}

/** Removes a lock whose holders are dead. Restores it if another process has acquired it since. */
async function breakLock(lock, deadHolders) {
  const aside = `${lock}-stale-${randomBytes(4).toString('hex')}`
  await rename(lock, aside).catch(() => undefined)
  const holders = await holdersOf(aside)
  if (holders.join() !== deadHolders.join()) await rename(aside, lock).catch(() => undefined)
  await rm(aside, { recursive: true, force: true })
}

async function addHolder(folder, pid) {
  await mkdir(join(folder, `${pid}-${await startTimeOf(pid)}`), { recursive: true })
}

async function holdersOf(folder) {
  return (await readdir(folder).catch(() => [])).sort()
}

async function anyAlive(holders) {
  for (const holder of holders) {
    const [pid, startTime] = holder.split('-')
    if (isAlive(Number(pid)) && (await startTimeOf(Number(pid))) === startTime) return true
  }
  return false
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns the start time of a process. Process IDs are reused, but not with the same start time. */
async function startTimeOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
}
