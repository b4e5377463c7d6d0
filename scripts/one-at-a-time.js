/** A lock on the checkout, for installing and building. It counts only as long as a process that holds it lives. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * Runs the work while no other process does. The lock is a folder with an empty folder for each process that holds it,
 * so a rename puts it in place with its content, and git, which knows no empty folders, never shows it.
 * `share(pid)` adds a child process as a holder, because it may outlive this process if that is killed.
 */
export async function oneAtATime(lock, work, onWait) {
  await acquire(lock, onWait)
  try {
    return await work((pid) => mark(lock, pid))
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
  await mark(draft, process.pid)
  try {
    // A rename onto a folder that is not empty fails, so only one of several processes succeeds.
    await rename(draft, lock)
    return true
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return false
    throw error
  }
}

/** Removes a lock whose holders are dead. If another process was faster, its new lock is put back. */
async function breakLock(lock, judged) {
  const aside = `${lock}-stale-${randomBytes(4).toString('hex')}`
  await rename(lock, aside).catch(() => undefined)
  const taken = await holdersOf(aside)
  if (taken.join() !== judged.join()) await rename(aside, lock).catch(() => undefined)
  await rm(aside, { recursive: true, force: true })
}

async function mark(folder, pid) {
  await mkdir(join(folder, `${pid}-${await birthOf(pid)}`), { recursive: true })
}

async function holdersOf(folder) {
  return (await readdir(folder).catch(() => [])).sort()
}

async function anyAlive(holders) {
  for (const holder of holders) {
    const [pid, birth] = holder.split('-')
    if (isAlive(Number(pid)) && (await birthOf(Number(pid))) === birth) return true
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

/** When a process began. Process ids are reused, soon so in containers, but an id with this time is unique. */
async function birthOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
}
