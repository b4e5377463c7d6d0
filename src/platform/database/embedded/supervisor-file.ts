/** How users and the supervisor find each other and what they say. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Binaries } from './binaries.js'
import type { DataFolder } from './data-folder.js'
import type { Launch } from './run-as.js'

/** Only one `service` may use the database at a time. Any number of short `command`s may, with or without it. */
export type DatabaseUse = 'service' | 'command'

/** What the supervisor gets as its argument. */
export interface SupervisorTask {
  folder: DataFolder
  binaries: Binaries
  launch: Launch
  /** When starting is given up, in milliseconds since 1970. */
  deadline: number
}

/** What the supervisor prints once the database is ready or has failed to start. */
export type SupervisorReport = { failure: null } | { failure: string; isExpected: boolean }

/** The first line that a user sends. */
export interface Greeting {
  key: string
  use: DatabaseUse
}

interface SupervisorPlace {
  port: number
  /** Proves to the supervisor that the user may read the data folder. */
  key: string
  postgresPort: number
}

/** Null when no supervisor is ready. A file that a killed one left is followed in vain. */
export async function readSupervisorFile(folder: DataFolder): Promise<SupervisorPlace | null> {
  try {
    return JSON.parse(await readFile(fileOf(folder), 'utf8')) as SupervisorPlace
  } catch {
    return null
  }
}

export async function writeSupervisorFile(folder: DataFolder, place: SupervisorPlace): Promise<void> {
  const draft = `${fileOf(folder)}.${place.key}`
  await writeFile(draft, JSON.stringify(place), { mode: 0o600 })
  await rename(draft, fileOf(folder))
}

/** Leaves the file of another supervisor alone. */
export async function removeSupervisorFile(folder: DataFolder, key: string): Promise<void> {
  if ((await readSupervisorFile(folder))?.key === key) await rm(fileOf(folder), { force: true })
}

function fileOf({ dataDir }: DataFolder): string {
  return join(dataDir, 'postgres.supervisor')
}
