/** The data folder of the embedded database, and its errors. */
import { access, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../../config/startup-error.js'

export interface DataFolder {
  dataDir: string
  /** PostgreSQL's data directory. */
  cluster: string
  log: string
}

export function createDataFolder(dataDir: string): DataFolder {
  return { dataDir, cluster: join(dataDir, 'postgres'), log: join(dataDir, 'postgres.log') }
}

/** Creates the data folder if it is missing. Throws a StartupError if the folder cannot be used. */
export async function prepareDataFolder(dataDir: string): Promise<DataFolder> {
  try {
    await mkdir(dataDir, { recursive: true })
    if (!(await stat(dataDir)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return createDataFolder(await realpath(dataDir))
  } catch (error) {
    throw explainFolderError(dataDir, error)
  }
}

/** Turns file errors in the data folder into a StartupError. Returns other errors unchanged. */
export function explainFolderError(dataDir: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const elsewhere = 'or set DATA_DIR to another folder'
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return new StartupError(
      `The data folder ${dataDir} cannot be created, because there is a file in its path. Move the file, ${elsewhere}.`,
    )
  if (code === 'EACCES' || code === 'EPERM')
    return new StartupError(
      `The data folder ${dataDir} cannot be used by this user (${message}). Change its owner, ${elsewhere}.`,
    )
  // 53100 is PostgreSQL's own code for a full disk.
  if (['ENOSPC', 'EDQUOT', '53100'].includes(code)) return createDiskFullError(dataDir)
  if (!syscall) return error
  return new StartupError(
    `The data folder ${dataDir} cannot be used (${message}). Fix the error, ${elsewhere}.`,
  )
}

/** Checks the output of PostgreSQL's programs, which have no error code. LC_ALL=C makes the output English. */
export function isDiskFull(output: string): boolean {
  return output.includes('No space left on device')
}

export function createDiskFullError(dataDir: string): StartupError {
  return new StartupError(
    `The disk of the data folder ${dataDir} is full. Free up disk space, then start the service again.`,
  )
}
