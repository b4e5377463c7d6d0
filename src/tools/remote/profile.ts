/** Profiles that `login` saves: the URL and the token of a service, in a file that only this user can read. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

import { StartupError, UsageError } from '../../platform/config/startup-error.js'

export interface Profile {
  url: string
  token: string
}

export const defaultProfile = 'default'

function profileFile(name: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new UsageError(
      '--profile takes a name of at most 64 letters, digits, dots, hyphens and underscores that starts with a letter or digit.',
    )
  const configured = process.env['XDG_CONFIG_HOME'] ?? ''
  // The XDG specification says to ignore relative paths.
  const folder = isAbsolute(configured) ? configured : join(homedir(), '.config')
  return join(folder, 'link-service', `${name}.json`)
}

/** Returns null if there is no such profile. */
export function readProfile(name: string): Profile | null {
  const file = profileFile(name)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw new UsageError(`The profile could not be read: ${(error as Error).message}`)
  }
  const profile = parseProfile(text)
  if (!profile) throw new UsageError(`The profile ${file} is damaged. Delete it, then run login again.`)
  return profile
}

/** Whether a file does not exist. The path may contain a file instead of a folder. */
function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function parseProfile(text: string): Profile | null {
  try {
    const { url, token } = JSON.parse(text) as Partial<Profile>
    return typeof token === 'string' && typeof url === 'string' && URL.canParse(url) ? { url, token } : null
  } catch {
    return null
  }
}

/** Saves a profile and returns its file. */
export function saveProfile(name: string, profile: Profile): string {
  const file = profileFile(name)
  try {
    writeProfile(file, profile)
  } catch (error) {
    throw new StartupError(
      `The profile could not be saved: ${(error as Error).message}. Set XDG_CONFIG_HOME to a writable folder.`,
    )
  }
  return file
}

/** Creates the file with its final mode, so other users can never read the token. */
function writeProfile(file: string, profile: Profile): void {
  const draft = `${file}.${process.pid}.tmp`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(descriptor, `${JSON.stringify(profile, null, 2)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } finally {
    // Left behind only if something failed.
    rmSync(draft, { force: true })
  }
}

/** Returns whether the profile existed. */
export function removeProfile(name: string): boolean {
  const file = profileFile(name)
  try {
    rmSync(file)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw new UsageError(`The profile could not be removed: ${(error as Error).message}`)
  }
}
