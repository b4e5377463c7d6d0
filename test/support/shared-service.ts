/**
 * The service that spec files of one Jest process share, for those that need nothing but a workspace of their own. It
 * runs no work and has no rate limits. Slugs are those of all workspaces, so a file that asks for some by name makes them
 * its own, and what a file reads from a table it reads by workspace or id.
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
