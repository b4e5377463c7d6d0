/** The two places that a queue can be in, each with the ways in which it can go away. */
import { setTimeout } from 'node:timers/promises'

import type { QueuePlace } from '../../../src/platform/queue/backend.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { createDatabase } from '../../support/database.js'
import { describeWithRedis, startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'

export interface OpenPlace {
  place: QueuePlace
  /** Gone for about a second; what was in it may be lost. */
  interrupt(): Promise<void>
  close(): Promise<void>
}

export const noDatabase = 'postgres://127.0.0.1:0/none'

async function openPostgres(): Promise<OpenPlace> {
  const db = await createDatabase()
  const proxy = await DatabaseProxy.before(db.url)
  return {
    place: { databaseUrl: proxy.url, redisUrl: null },
    interrupt: async () => {
      const until = Date.now() + 500
      while (Date.now() < until)
        await db.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
        )
      proxy.refuse()
      await setTimeout(500)
      proxy.heal()
    },
    close: async () => {
      await proxy.stop()
      await db.drop()
    },
  }
}

async function openRedis(): Promise<OpenPlace & { redis: TestRedis }> {
  const redis = await startRedis()
  return {
    redis,
    place: { databaseUrl: noDatabase, redisUrl: redis.url },
    interrupt: async () => {
      await redis.kill()
      await setTimeout(1_000)
      await redis.start()
    },
    close: () => redis.close(),
  }
}

export const places = [
  { name: 'on PostgreSQL', describeThere: describe, open: openPostgres },
  { name: 'on Redis', describeThere: describeWithRedis, open: openRedis },
]
