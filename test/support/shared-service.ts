/**
 * The service that spec files of one Jest process share, if they need only a workspace of their own. It has no
 * background work and no rate limits. Slugs are shared by all workspaces, so a file that chooses slugs must make them
 * unique. A file that reads a table must select rows by workspace or id.
 */
import { randomBytes } from 'node:crypto'

import { sharedService } from './built/shared-service.js'
import { connectTo } from './database.js'
import { serviceOn } from './service.js'
import type { Service } from './service.js'

export async function shareService(): Promise<Service> {
  const { app, databaseUrl } = await sharedService()
  const own = `spec-${randomBytes(6).toString('hex')}`
  const db = await connectTo(databaseUrl)
  return serviceOn(
    app,
    db,
    (name) => (name === 'default' ? own : `${own}-${name}`),
    () => db.drop(),
  )
}
