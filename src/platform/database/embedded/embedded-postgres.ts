/** The default database: a PostgreSQL that the service starts and stops. All processes on a data folder share it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import type { Client } from 'pg'

import { readOrCreateSecret, readSecret } from '../../config/secret-files.js'
import { StartupError } from '../../config/startup-error.js'
import { findBinaries } from './binaries.js'
import { checkVersion, clearUnfinished, createCluster, giveToUser, hasCluster } from './cluster.js'
import { HeldDatabase } from './held-database.js'
import { openLockSession, SessionLost, prepareDatabase, takeLocks } from './lock-session.js'
import type { DatabaseUse } from './lock-session.js'
import { placeIn, placeTrouble, preparePlace } from './place.js'
import type { DataPlace } from './place.js'
import { findPostmaster } from './postmaster.js'
import { databaseUser, prepareLaunch } from './run-as.js'
import { notReady, startServer, stopServer } from './server.js'

const startPatience = 60_000
const passwordName = 'postgres-password'

/** Only one `service` may use the database at a time. Any number of short `command`s may, with or without it. */
export async function openEmbeddedDatabase(options: {
  dataDir: string
  use: DatabaseUse
}): Promise<HeldDatabase> {
  const place = await preparePlace(options.dataDir)
  try {
    return await open(place, options.use)
  } catch (error) {
    throw placeTrouble(place.dataDir, error)
  }
}

/** Whether there is a database already. Unlike opening, this creates none. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return hasCluster(placeIn(dataDir)).catch((error: unknown) => {
    throw placeTrouble(dataDir, error)
  })
}

async function open(place: DataPlace, use: DatabaseUse): Promise<HeldDatabase> {
  const binaries = await findBinaries()
  const launch = prepareLaunch(databaseUser(place.cluster), binaries.postgres, [
    join(binaries.root, 'bin'),
    join(binaries.root, 'share'),
    place.dataDir,
  ])

  const password = await databasePassword(place)
  if (!(await hasCluster(place))) await createCluster(place, binaries, launch, password)
  await checkVersion(place, binaries, launch)
  await giveToUser(place, launch)

  const deadline = Date.now() + startPatience
  while (Date.now() < deadline) {
    const found = await findPostmaster(place.cluster)
    const postmaster = found ?? (await startServer(place, binaries, launch, deadline))
    const session =
      postmaster?.status === 'ready' &&
      (await openLockSession(place, postmaster.port, password).catch(async (error: unknown) => {
        // The password is wrong, so no other process gets in either. The server is stopped if this process started it.
        if (!found) await stopServer(place, postmaster.pid)
        throw error
      }))
    if (postmaster && session) {
      const held = new HeldDatabase({ place, use, password, postmaster, session })
      const answer = await enter(held, session, use)
      if (answer === 'taken') {
        await held.watch()
        if (use === 'service') held.noticeStop()
        await clearUnfinished(place)
        return held
      }
      await held.release()
      if (answer === 'in use') throw inUse(place)
    }
    await setTimeout(50)
  }
  throw notReady(place)
}

async function enter(
  held: HeldDatabase,
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
    await held.release()
    throw error
  }
}

async function databasePassword(place: DataPlace): Promise<string> {
  const file = join(place.dataDir, 'secrets', passwordName)
  if ((await hasCluster(place)) && (await readSecret(file)) === null)
    throw new StartupError(
      `The password of the database in ${place.cluster} is missing. Put ${file} back from a backup.`,
    )
  return await readOrCreateSecret(place.dataDir, passwordName, () => randomBytes(32).toString('base64url'))
}

function inUse(place: DataPlace): StartupError {
  return new StartupError(
    `The data folder ${place.dataDir} is in use by another running instance. Stop it, or set DATA_DIR to another folder.`,
  )
}
