import { rm } from 'node:fs/promises'

import { stopSharedService } from './built/shared-service.js'

export default async function stopPostgres() {
  // The shared service is in this process if Jest has no other one, as under a debugger.
  await stopSharedService()
  const { postgres, dataDir } = globalThis.testPostgres
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
}
