/** A service whose database is behind a proxy that can inspect and delay the traffic. */
import { createDatabase } from './database.js'
import type { TestDatabase } from './database.js'
import { DatabaseProxy } from './database-proxy.js'
import { startService } from './service.js'
import type { Service } from './service.js'

export interface ProxiedService {
  db: TestDatabase
  proxy: DatabaseProxy
  service: Service
  stop: () => Promise<void>
}

export async function startProxiedService(env: Record<string, string> = {}): Promise<ProxiedService> {
  const db = await createDatabase()
  const proxy = await DatabaseProxy.start(db.url)
  const service = await startService({ db: { ...db, url: proxy.url }, env })
  const stop = async () => {
    await service.stop()
    await proxy.stop()
    await db.drop()
  }
  return { db, proxy, service, stop }
}
