/**
 * The shared service of a Jest process, for spec files that only need their own workspace. It lives outside their
 * module registries, and starts with the first of these files.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyTemplate } from './database-copies.js'
import { createEnvironment, encryptionKey, pepper } from './test-settings.js'

/** The service stops after this time without a spec file, because Jest does not report the last one of a process. */
const idleMs = 1_000

let running = null
let stopTimer

export function sharedService() {
  if (running) return running
  const starting = start()
  running = starting
  // The next spec file starts the service again.
  starting.catch(() => {
    if (running === starting) running = null
  })
  return starting
}

/** Keeps the service running for a spec file. */
export function keepSharedService() {
  clearTimeout(stopTimer)
}

/** Stops the service if no other spec file starts soon, so that the process can exit. */
export function leaveSharedService() {
  if (running) stopTimer = setTimeout(stopSharedService, idleMs)
}

export async function stopSharedService() {
  clearTimeout(stopTimer)
  const stopping = running
  running = null
  // If the service failed to start, the spec file reports the error.
  const service = await stopping?.catch(() => null)
  await service?.stop()
}

async function start() {
  // Loaded on demand, because Jest's main process also loads this file but runs no service.
  const [{ createApp }, { readSettings }, { createLogger }] = await Promise.all([
    import('../../../dist/app/app.js'),
    import('../../../dist/platform/config/env.js'),
    import('../../../dist/platform/util/logger.js'),
  ])
  const databaseUrl = await copyTemplate()
  const dataDir = await mkdtemp(join(tmpdir(), 'link-service-shared-'))
  const settings = {
    ...readSettings(createEnvironment(dataDir)),
    databaseUrl,
    tokenPepper: pepper,
    encryptionKey,
  }
  const app = await createApp(settings, createLogger(settings.logLevel))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    databaseUrl,
    // The database is not dropped, because the server is removed after the run.
    stop: async () => {
      // A connection whose response a spec file did not read would keep the process running.
      app.getHttpServer().closeAllConnections()
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
