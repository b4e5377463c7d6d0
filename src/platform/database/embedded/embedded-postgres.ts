/** The default database: a PostgreSQL server that the service starts and stops. Processes on a data folder share it. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open as openFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { readOrCreateSecret, readSecret } from '../../config/secret-files.js'
import { StartupError } from '../../config/startup-error.js'
import { findBinaries } from './binaries.js'
import type { Binaries } from './binaries.js'
import { checkVersion, removeUnfinished, createCluster, changeOwner, hasCluster } from './cluster.js'
import { EmbeddedDatabase } from './embedded-database.js'
import { createDataFolder, explainFolderError, prepareDataFolder } from './data-folder.js'
import type { DataFolder } from './data-folder.js'
import { findPostmaster, isSupervised } from './postmaster.js'
import { passwordFile } from './prepare-database.js'
import { databaseUser, launchEnvironment, prepareLaunch } from './run-as.js'
import { createNotReadyError, stopServer } from './server.js'
import type { DatabaseUse, SupervisorReport, SupervisorTask } from './supervisor-file.js'

const startTimeoutMs = 60_000
/** How long the supervisor may take to notice that a service was killed. */
const serviceEndTimeoutMs = 1_000
const program = fileURLToPath(new URL('supervisor.js', import.meta.url))

export async function openEmbeddedDatabase(options: {
  dataDir: string
  /** The folder with the programs of PostgreSQL. Default: those that npm installed. */
  postgresBinDir?: string | null
  use: DatabaseUse
}): Promise<EmbeddedDatabase> {
  const folder = await prepareDataFolder(options.dataDir)
  try {
    return await openOrStart(folder, await findBinaries(options.postgresBinDir ?? null), options.use)
  } catch (error) {
    throw explainFolderError(folder.dataDir, error)
  }
}

/** Whether there is a database already. Unlike opening, this creates none. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return hasCluster(createDataFolder(dataDir)).catch((error: unknown) => {
    throw explainFolderError(dataDir, error)
  })
}

async function openOrStart(
  folder: DataFolder,
  binaries: Binaries,
  use: DatabaseUse,
): Promise<EmbeddedDatabase> {
  const launch = prepareLaunch(databaseUser(folder.cluster), binaries.postgres, [
    ...binaries.folders,
    folder.dataDir,
  ])
  const password = await databasePassword(folder)
  if (!(await hasCluster(folder))) await createCluster(folder, binaries, launch, password)
  await checkVersion(folder, binaries, launch)
  await changeOwner(folder, launch)

  const beganAt = Date.now()
  const task: SupervisorTask = { folder, binaries, launch, deadline: beganAt + startTimeoutMs }
  let supervisor: ChildProcess | null = null
  try {
    while (Date.now() < task.deadline) {
      const joined = await EmbeddedDatabase.join(folder, use, password)
      if (joined === 'in use') {
        if (Date.now() > beganAt + serviceEndTimeoutMs) throw createInUseError(folder)
      } else if (joined) {
        await removeUnfinished(folder)
        return joined
      } else {
        supervisor?.stdin?.destroy()
        supervisor = await startSupervisor(task)
      }
      await setTimeout(50)
    }
    throw createNotReadyError(folder)
  } finally {
    // The supervisor now counts this process by its connection.
    supervisor?.stdin?.destroy()
  }
}

/** Null while another supervisor is starting or stopping the server. */
async function startSupervisor(task: SupervisorTask): Promise<ChildProcess | null> {
  const { folder } = task
  const found = await findPostmaster(folder.cluster)
  if (found && (await isSupervised(found.pid))) return null
  if (found) await stopServer(folder, found.pid)
  const log = await openFile(folder.log, 'a', 0o600)
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    cwd: '/',
    env: launchEnvironment,
    // Ctrl-C must reach only the service.
    detached: true,
    stdio: ['pipe', 'pipe', log.fd],
  })
  await log.close()
  child.unref()
  const stdout = child.stdout!
  child.stdin!.on('error', () => undefined)
  const firstLine = await new Promise<string>((resolve) => {
    createInterface({ input: stdout }).once('line', resolve)
    child.once('close', () => resolve('')).once('error', () => resolve(''))
  })
  stdout.destroy()
  const report = firstLine === '' ? null : (JSON.parse(firstLine) as SupervisorReport)
  if (report?.failure) throw report.isExpected ? new StartupError(report.failure) : new Error(report.failure)
  return child
}

async function databasePassword(folder: DataFolder): Promise<string> {
  const file = passwordFile(folder)
  if ((await hasCluster(folder)) && (await readSecret(file)) === null)
    throw new StartupError(
      `The password of the database in ${folder.cluster} is missing. Restore ${file} from a backup.`,
    )
  return await readOrCreateSecret(folder.dataDir, 'postgres-password', () =>
    randomBytes(32).toString('base64url'),
  )
}

function createInUseError(folder: DataFolder): StartupError {
  return new StartupError(
    `The data folder ${folder.dataDir} is in use by another running instance. Stop it, or set DATA_DIR to another folder.`,
  )
}
