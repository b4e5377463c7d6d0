/**
 * Rotates a generated secret in the data folder in two steps: a command writes the new secret to `NAME-next`, and the
 * next start of the service makes it the current one. After a crash between any two lines, the service can start.
 */
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { readSecret, syncFolder, writeSecret } from './secret-files.js'

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
