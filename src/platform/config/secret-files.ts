/** Generated secrets: one file each, in a folder that only the service's user can access. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { StartupError } from './startup-error.js'

/** Reads a secret, or creates it. Processes that create the secret concurrently all get the same one. */
export async function readOrCreateSecret(dataDir: string, name: string, make: () => string): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  try {
    return (await readSecret(file)) ?? (await createSecret(folder, file, make()))
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The secret ${file} can be neither read nor created: ${(error as Error).message}.`)
  }
}

export async function readSecret(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const value = text.trim()
  if (value === '') throw new StartupError(`The secret ${file} is empty. Restore it from a backup.`)
  return value
}

async function createSecret(folder: string, file: string, value: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    // A rename would replace a secret that another process already uses. A hard link fails instead.
    await writeSecret(file, value, link)
    return value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const winner = await readSecret(file)
    if (winner === null) throw error
    return winner
  }
}

/** Writes a draft that only the owner can read. When it is on disk, `moveDraft` gives it the name of the file. */
async function writeSecret(
  file: string,
  value: string,
  moveDraft: (draft: string, file: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${value}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveDraft(draft, file)
    await syncFolder(dirname(file))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Syncs a folder: a new file survives a power failure only if its directory entry is on disk too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function previousFile(dataDir: string, name: string): string {
  return join(dataDir, 'secrets', `${name}-previous`)
}

function nextFile(dataDir: string, name: string): string {
  return join(dataDir, 'secrets', `${name}-next`)
}

export async function isStaged(dataDir: string, name: string): Promise<boolean> {
  return (await readSecret(nextFile(dataDir, name))) !== null
}

/** Generates the next secret. A repeated call replaces it. */
export async function stageSecret(dataDir: string, name: string): Promise<void> {
  await writeSecret(nextFile(dataDir, name), randomBytes(32).toString('base64url'), rename)
}

/** Makes the next secret the current one, if there is one. The current one becomes the previous one. */
export async function applyStagedSecret(dataDir: string, name: string): Promise<void> {
  if (!(await isStaged(dataDir, name))) return
  const folder = join(dataDir, 'secrets')
  const current = await readSecret(join(folder, name))
  if (current === null) return
  // After a crash here, both files have the current secret, and the next start repeats this.
  await writeSecret(previousFile(dataDir, name), current, rename)
  await rename(nextFile(dataDir, name), join(folder, name))
  await syncFolder(folder)
}

export async function removePreviousSecret(dataDir: string, name: string): Promise<void> {
  await rm(previousFile(dataDir, name), { force: true })
  await syncFolder(join(dataDir, 'secrets'))
}
