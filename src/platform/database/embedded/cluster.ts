/** Creates the data directory of the embedded database atomically. */
import { spawn } from 'node:child_process'
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../../config/secret-files.js'
import { StartupError } from '../../config/startup-error.js'
import type { Binaries } from './binaries.js'
import { createDiskFullError, isDiskFull } from './data-folder.js'
import type { DataFolder } from './data-folder.js'
import { launchEnvironment, runToEnd } from './run-as.js'
import type { Launch } from './run-as.js'

export const superuser = 'postgres'

/** The first version with a locale provider that sorts the same on every machine. */
const oldestVersion = 17

const unfinished = 'postgres.init-'

/** Initial settings in postgresql.conf, which an operator may change. Mandatory settings are in server.ts. */
const firstSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Parallel queries need /dev/shm, which is small in a container, and have no benefit here.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Ends the statements of killed clients, and releases their locks.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are reported to the client, so they are not logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  checkpoint_warning: '0',
  log_line_prefix: '%m [%p] ',
}

export async function hasCluster(folder: DataFolder): Promise<boolean> {
  const entries = await readdir(folder.cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length === 0) return false
  if (entries.includes('PG_VERSION')) return true
  throw new StartupError(
    `The folder ${folder.cluster} contains files that are not a database. Move them away, or set DATA_DIR to another folder.`,
  )
}

/** Creates the data directory. Of several concurrent processes, the first to move its files into place wins. */
export async function createCluster(
  folder: DataFolder,
  binaries: Binaries,
  launch: Launch,
  password: string,
): Promise<void> {
  const version = readVersion(binaries, launch)
  if (version !== undefined && Number(version) < oldestVersion)
    throw new StartupError(
      `${binaries.postgres} is PostgreSQL ${version}. The embedded database needs version ${oldestVersion} or newer: change POSTGRES_BIN_DIR, or set DATABASE_URL.`,
    )
  const work = await mkdtemp(join(folder.dataDir, unfinished))
  try {
    const passwordFile = join(work, 'password')
    const files = join(work, 'files')
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    await mkdir(files, { mode: 0o700 })
    if (launch.user)
      for (const path of [work, passwordFile, files]) await chown(path, launch.user.uid, launch.user.gid)

    const failure = await initdb(binaries, launch, files, passwordFile)
    if (failure !== null) {
      // initdb fails if another process won and deleted the files of this attempt.
      if (await hasCluster(folder)) return
      if (isDiskFull(failure)) throw createDiskFullError(folder.dataDir)
      throw new StartupError(
        `The embedded database could not be created in ${folder.cluster}: ${failure.split('\n').slice(-3).join(' | ')}.`,
      )
    }
    await rename(files, folder.cluster).catch(async (error: NodeJS.ErrnoException) => {
      if (!(await hasCluster(folder))) throw error
    })
    await syncFolder(folder.dataDir)
  } finally {
    await rm(work, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Returns null on success, else the output of initdb. */
async function initdb(
  binaries: Binaries,
  launch: Launch,
  files: string,
  passwordFile: string,
): Promise<string | null> {
  const args = [
    `--pgdata=${files}`,
    `--pwfile=${passwordFile}`,
    `--username=${superuser}`,
    '--auth=scram-sha-256',
  ]
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--data-checksums')
  for (const [name, value] of Object.entries(firstSettings)) args.push('--set', `${name}=${value}`)

  const [command = binaries.initdb, ...commandArgs] = [...launch.prefix, binaries.initdb, ...args]
  const child = spawn(command, commandArgs, {
    ...launch.ids,
    cwd: '/',
    env: launchEnvironment,
    // Keeps Ctrl-C from reaching initdb, which would report it as a failure.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  return await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? null : output.trim() || `it ended with code ${code}`))
  })
}

/** Deletes the files of unfinished attempts. */
export async function removeUnfinished(folder: DataFolder): Promise<void> {
  for (const entry of await readdir(folder.dataDir))
    if (entry.startsWith(unfinished))
      await rm(join(folder.dataDir, entry), { recursive: true, force: true, maxRetries: 3 }).catch(
        () => undefined,
      )
}

/** Throws if the files belong to another major version. The server would report this only in its log. */
export async function checkVersion(folder: DataFolder, binaries: Binaries, launch: Launch): Promise<void> {
  const fileVersion = (await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8')).trim()
  const ownVersion = readVersion(binaries, launch)
  if (ownVersion !== undefined && fileVersion !== ownVersion)
    throw new StartupError(
      `The database in ${folder.cluster} was created by PostgreSQL ${fileVersion}, but this service includes ${ownVersion}. Start the release that created it and move the data with pg_dump, or set DATA_DIR to another folder.`,
    )
}

/** Returns the major version. Distributions append their own name: `postgres (PostgreSQL) 17.6 (Debian 17.6-1)`. */
function readVersion(binaries: Binaries, launch: Launch): string | undefined {
  return /\(PostgreSQL\) (\d+)/.exec(runToEnd(launch, binaries.postgres, ['--version']).output)?.[1]
}

/** Makes the server's user the owner of the files. Copied files may belong to root or to a deleted user. */
export async function changeOwner(folder: DataFolder, launch: Launch): Promise<void> {
  const { user } = launch
  if (!user || (await stat(folder.cluster)).uid === user.uid) return
  for (const entry of await readdir(folder.cluster, { recursive: true }))
    await lchown(join(folder.cluster, entry), user.uid, user.gid)
  await lchown(folder.cluster, user.uid, user.gid)
}
