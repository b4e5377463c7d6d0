/** The file through which users find the supervisor, and the messages that they exchange. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Binaries } from './binaries.js'
import type { DataFolder } from './data-folder.js'
import type { Launch } from './run-as.js'

/** Only one `service` may use the database at a time. Any number of short `command`s may, with or without it. */
export type DatabaseUse = 'service' | 'command'

/** The argument of the supervisor. */
export interface SupervisorTask {
  folder: DataFolder
  binaries: Binaries
  launch: Launch
  /** Time at which the start fails, in milliseconds since 1970. */
  deadline: number
}

/** The supervisor's output once the database is ready or has failed to start. */
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

/** Returns null if no supervisor is ready. The file may be stale, because a killed supervisor does not remove it. */
export async function readSupervisorFile(folder: DataFolder): Promise<SupervisorPlace | null> {
  try {
    return JSON.parse(await readFile(getSupervisorFile(folder), 'utf8')) as SupervisorPlace
  } catch {
    return null
  }
}

export async function writeSupervisorFile(folder: DataFolder, place: SupervisorPlace): Promise<void> {
  const draft = `${getSupervisorFile(folder)}.${place.key}`
  await writeFile(draft, JSON.stringify(place), { mode: 0o600 })
  await rename(draft, getSupervisorFile(folder))
}

/** Removes the file unless it belongs to another supervisor. */
export async function removeSupervisorFile(folder: DataFolder, key: string): Promise<void> {
  if ((await readSupervisorFile(folder))?.key === key) await rm(getSupervisorFile(folder), { force: true })
}

function getSupervisorFile({ dataDir }: DataFolder): string {
  return join(dataDir, 'postgres.supervisor')
}
