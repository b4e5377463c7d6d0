import { rm } from 'node:fs/promises'

import { stopSharedService } from './built/shared-service.js'

export default async function stopPostgres() {
  // Under a debugger, the shared service runs in this process.
  await stopSharedService()
  const { postgres, folder } = globalThis.testPostgres
  await postgres.release()
  await rm(folder, { recursive: true, force: true })
}
