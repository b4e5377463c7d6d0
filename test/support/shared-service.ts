/**
 * A service shared by the spec files of a Jest process that only need their own workspace. It runs no background work
 * and has no rate limits. Workspaces share slugs, so a file must choose unique slugs. Queries must select rows by
 * workspace or ID.
 */
import { randomBytes } from 'node:crypto'

import { sharedService } from './built/shared-service.js'
import { connectTo } from './database.js'
import { createService } from './service.js'
import type { Service } from './service.js'

export async function shareService(): Promise<Service> {
  const { app, databaseUrl } = await sharedService()
  const own = `spec-${randomBytes(6).toString('hex')}`
  const db = await connectTo(databaseUrl)
  return createService(
    app,
    db,
    (name) => (name === 'default' ? own : `${own}-${name}`),
    () => db.drop(),
  )
}
