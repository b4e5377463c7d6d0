/**
 * The service of a Jest process. The spec files that need nothing but a workspace of their own use it one after the
 * other, so it stands outside their worlds, and starts with the first of them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyTemplate } from './database-copies.js'
import { encryptionKey, environmentOf, pepper } from './test-settings.js'

/** Jest ends a process by force half a second after its last file, and does not say which file that is. */
const patienceMs = 200

let running = null
let impatience

export function sharedService() {
  running ??= start()
  return running
}

/** A spec file begins. */
export function keepSharedService() {
  clearTimeout(impatience)
}

/** A spec file is done: without another one soon, nothing may keep the process from its end. */
export function leaveSharedService() {
  if (running) impatience = setTimeout(stopSharedService, patienceMs)
}

export async function stopSharedService() {
  clearTimeout(impatience)
  const stopping = running
  running = null
  // Whoever asked for it has been told why it did not start.
  const service = await stopping?.catch(() => null)
  await service?.stop()
}

async function start() {
  // Jest's main process loads this file too, and has no service.
  const [{ createApp }, { readSettings }, { createLogger }] = await Promise.all([
    import('../../../dist/app/app.js'),
    import('../../../dist/platform/config/env.js'),
    import('../../../dist/platform/config/logger.js'),
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
    // Its database ends with the server.
    stop: async () => {
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
