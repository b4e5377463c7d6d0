/** Writes a file that is either complete and on disk, or absent. Never replaces a file. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

import { syncFolder } from '../../platform/config/secret-files.js'
import { StartupError } from '../../platform/config/startup-error.js'

const draftName = /\.[0-9a-f]{12}\.tmp$/

/** Compresses the content into a new file that only its owner can read. Returns the size of the file. */
export async function writeBackupFile(
  file: string,
  content: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<number> {
  const target = resolve(file)
  await requireFree(target)
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(draft, 'wx', 0o600)
    // The level compresses almost as well as the default, in half the time.
    const zip = createGzip({ level: constants.Z_BEST_SPEED + 2 })
    // The stream closes the handle.
    await pipeline(content, zip, createWriteStream(draft, { fd: handle, flush: true }), {
      ...(signal && { signal }),
    })
    const { size } = await stat(draft)
    await moveIntoPlace(draft, target)
    await syncFolder(dirname(target))
    return size
  } catch (error) {
    throw explainError(target, error)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Whether the file is an unfinished backup. */
export function isDraft(name: string): boolean {
  return draftName.test(name)
}

async function requireFree(target: string): Promise<void> {
  const found = await stat(target).catch(() => null)
  if (found) throw alreadyExists(target)
}

async function moveIntoPlace(draft: string, target: string): Promise<void> {
  try {
    // A rename would replace a file that was created in the meantime. A hard link fails instead.
    await link(draft, target)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    // Some file systems have no hard links.
    await requireFree(target)
    await rename(draft, target)
  }
}

function alreadyExists(target: string): StartupError {
  return new StartupError(`${target} already exists. Choose another file, or move this one away.`)
}

function explainError(target: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return alreadyExists(target)
  if (code === 'ENOENT')
    return new StartupError(
      `The folder ${dirname(target)} does not exist. Create it, or choose another file.`,
    )
  if (!syscall || error instanceof StartupError) return error
  return new StartupError(`The backup ${target} cannot be written: ${message}.`)
}
