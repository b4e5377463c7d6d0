/** Where the embedded database keeps its things, and what can be wrong with that place. */
import { access, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../../config/startup-error.js'

export interface Place {
  dataDir: string
  /** What PostgreSQL calls its data directory. */
  cluster: string
  log: string
}

/** Makes the data folder where there is none, and says plainly why it cannot be used. */
export async function preparePlace(dataDir: string): Promise<Place> {
  try {
    await mkdir(dataDir, { recursive: true })
    if (!(await stat(dataDir)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const path = await realpath(dataDir)
    return { dataDir: path, cluster: join(path, 'postgres'), log: join(path, 'postgres.log') }
  } catch (error) {
    throw placeTrouble(dataDir, error)
  }
}

/** The plain line for a file error under the data folder; what is none comes back as it is. */
export function placeTrouble(dataDir: string, error: unknown): unknown {
  if (error instanceof StartupError) return error
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartupError(
        `The data folder ${dataDir} is not a folder. Move that file away, or set DATA_DIR to another folder.`,
      )
    case 'EACCES':
    case 'EPERM':
      return new StartupError(
        `The data folder ${dataDir} cannot be used by this user (${(error as Error).message}). Give it to them, or set DATA_DIR to another folder.`,
      )
    case 'EROFS':
      return new StartupError(
        `The data folder ${dataDir} is on a read-only disk. Set DATA_DIR to a folder that can be written.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
    // PostgreSQL's own code for it.
    case '53100':
      return diskFull(dataDir)
    default:
      if (!(error as NodeJS.ErrnoException).syscall) return error
      return new StartupError(
        `The data folder ${dataDir} cannot be used (${(error as Error).message}). Mend that, or set DATA_DIR to another folder.`,
      )
  }
}

export function diskFull(dataDir: string): StartupError {
  return new StartupError(
    `No space is left for the data folder ${dataDir}. Make room on that disk, then start again.`,
  )
}
