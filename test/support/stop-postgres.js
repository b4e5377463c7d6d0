import { rm } from 'node:fs/promises'

import { stopSharedService } from './built/shared-service.js'

export default async function stopPostgres() {
  // Under a debugger, the shared service runs in this process.
  await stopSharedService()
  const { servers, folder } = globalThis.testPostgres
  await Promise.all(servers.map((server) => server.release()))
  await rm(folder, { recursive: true, force: true })
}
