/** The default database: a PostgreSQL that the service starts and stops. All processes on a data folder share it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import type { Client } from 'pg'

import { readOrCreateSecret, readSecret } from '../../config/secret-files.js'
import { StartupError } from '../../config/startup-error.js'
import { findBinaries } from './binaries.js'
import { checkVersion, clearUnfinished, createCluster, giveToUser, hasCluster } from './cluster.js'
import { EmbeddedDatabase } from './embedded-database.js'
import { openLockSession, SessionLost, prepareDatabase, takeLocks } from './lock-session.js'
import type { DatabaseUse } from './lock-session.js'
import { dataFolderIn, folderTrouble, prepareDataFolder } from './data-folder.js'
import type { DataFolder } from './data-folder.js'
import { findPostmaster } from './postmaster.js'
import { databaseUser, prepareLaunch } from './run-as.js'
import { notReady, startServer, stopServer } from './server.js'

const startPatience = 60_000
const passwordName = 'postgres-password'

/** Only one `service` may use the database at a time. Any number of short `command`s may, with or without it. */
export async function openEmbeddedDatabase(options: {
  dataDir: string
  use: DatabaseUse
}): Promise<EmbeddedDatabase> {
  const folder = await prepareDataFolder(options.dataDir)
  try {
    return await open(folder, options.use)
  } catch (error) {
    throw folderTrouble(folder.dataDir, error)
  }
}

/** Whether there is a database already. Unlike opening, this creates none. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return hasCluster(dataFolderIn(dataDir)).catch((error: unknown) => {
    throw folderTrouble(dataDir, error)
  })
}

async function open(folder: DataFolder, use: DatabaseUse): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries()
  const launch = prepareLaunch(databaseUser(folder.cluster), binaries.postgres, [
    join(binaries.root, 'bin'),
    join(binaries.root, 'share'),
    folder.dataDir,
  ])

  const password = await databasePassword(folder)
  if (!(await hasCluster(folder))) await createCluster(folder, binaries, launch, password)
  await checkVersion(folder, binaries, launch)
  await giveToUser(folder, launch)

  const deadline = Date.now() + startPatience
  while (Date.now() < deadline) {
    const found = await findPostmaster(folder.cluster)
    const postmaster = found ?? (await startServer(folder, binaries, launch, deadline))
    const session =
      postmaster?.status === 'ready' &&
      (await openLockSession(folder, postmaster.port, password).catch(async (error: unknown) => {
        // The password is wrong, so no other process gets in either. The server is stopped if this process started it.
        if (!found) await stopServer(folder, postmaster.pid)
        throw error
      }))
    if (postmaster && session) {
      const opened = new EmbeddedDatabase({ folder, use, password, postmaster, session })
      const answer = await enter(opened, session, use)
      if (answer === 'taken') {
        await opened.watch()
        if (use === 'service') opened.noticeStop()
        await clearUnfinished(folder)
        return opened
      }
      await opened.release()
      if (answer === 'in use') throw inUse(folder)
    }
    await setTimeout(50)
  }
  throw notReady(folder)
}

async function enter(
  opened: EmbeddedDatabase,
  session: Client,
  use: DatabaseUse,
): Promise<'taken' | 'stopping' | 'in use'> {
  try {
    const answer = await takeLocks(session, use)
    if (answer === 'taken') await prepareDatabase(session)
    return answer
  } catch (error) {
    // Another process left as the last one and shut the server down meanwhile.
    if (error instanceof SessionLost) return 'stopping'
    await opened.release()
    throw error
  }
}

async function databasePassword(folder: DataFolder): Promise<string> {
  const file = join(folder.dataDir, 'secrets', passwordName)
  if ((await hasCluster(folder)) && (await readSecret(file)) === null)
    throw new StartupError(
      `The password of the database in ${folder.cluster} is missing. Put ${file} back from a backup.`,
    )
  return await readOrCreateSecret(folder.dataDir, passwordName, () => randomBytes(32).toString('base64url'))
}

function inUse(folder: DataFolder): StartupError {
  return new StartupError(
    `The data folder ${folder.dataDir} is in use by another running instance. Stop it, or set DATA_DIR to another folder.`,
  )
}
