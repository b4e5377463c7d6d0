/**
 * The service of a Jest process. Spec files that need only a workspace of their own use it one after the other.
 * Therefore it is outside of their worlds, and starts with the first of them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyTemplate } from './database-copies.js'
import { encryptionKey, environmentOf, pepper } from './test-settings.js'

/** How long the service waits for another spec file. Jest does not tell which one is the last of a process. */
const patienceMs = 1_000

let running = null
let impatience

export function sharedService() {
  running ??= start()
  return running
}

/** Keeps the service running, because a spec file begins. */
export function keepSharedService() {
  clearTimeout(impatience)
}

/** Ends the service if no other spec file begins soon, because it would keep the process from ending. */
export function leaveSharedService() {
  if (running) impatience = setTimeout(stopSharedService, patienceMs)
}

export async function stopSharedService() {
  clearTimeout(impatience)
  const stopping = running
  running = null
  // If the service did not start, the spec file that needs it has the error.
  const service = await stopping?.catch(() => null)
  await service?.stop()
}

async function start() {
  // These modules are loaded only here, because Jest's main process loads this file too and has no service.
  const [{ createApp }, { readSettings }, { createLogger }] = await Promise.all([
    import('../../../dist/app/app.js'),
    import('../../../dist/platform/config/env.js'),
    import('../../../dist/platform/util/logger.js'),
  ])
  const databaseUrl = await copyTemplate()
  const dataDir = await mkdtemp(join(tmpdir(), 'link-service-shared-'))
  const settings = {
    ...readSettings(environmentOf(dataDir)),
    databaseUrl,
    tokenPepper: pepper,
    encryptionKey,
  }
  const app = await createApp(settings, createLogger(settings.logLevel))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    databaseUrl,
    // The database is not dropped, because it ends with the server of the run.
    stop: async () => {
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
