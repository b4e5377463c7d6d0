/** Runs the service on an embedded database, and creates webhooks and events. */
import 'reflect-metadata'

import { DataSource } from 'typeorm'

import { createApp } from '../../dist/app/app.js'
import { history } from '../../dist/migrations/history.js'
import { readSettings } from '../../dist/platform/config/env.js'
import { createLogger } from '../../dist/platform/util/logger.js'
import { newId } from '../../dist/platform/database/ids.js'
import { openDatabase } from '../../dist/platform/database/open-database.js'
import { LaneWaker } from '../../dist/deliveries/pending-deliveries.js'
import { payloads } from '../../dist/events/payloads.js'
import { EventRecorder } from '../../dist/events/event-recorder.js'
import { migrateQueue } from '../../dist/platform/queue/schema.js'
import { WebhookSecrets } from '../../dist/webhooks/webhook-secrets.js'

const { dataDir, redisUrl } = JSON.parse(process.argv[2])
const database = await openDatabase(
  readSettings({ DATA_DIR: dataDir, PORT: '0', ...(redisUrl ? { REDIS_URL: redisUrl } : {}) }),
  'service',
  history,
)
await migrateQueue(database.settings)
const app = await createApp({ ...database.settings, role: 'api' }, createLogger('warn'))
const [source, recorder, secrets, waker] = [DataSource, EventRecorder, WebhookSecrets, LaneWaker].map(
  (type) => app.get(type),
)

async function createWebhooks(count, url) {
  const workspaceId = newId()
  await source.query('INSERT INTO workspaces VALUES ($1, $2, now())', [workspaceId, workspaceId])
  const ids = Array.from({ length: count }, newId)
  await source.query(
    `INSERT INTO webhooks (id, workspace_id, url, events, status, max_in_flight, sealed_secret, secret_hint, created_at, updated_at)
     SELECT id, $2, $3 || '/' || id, '{link.created}', 'paused', 20, secret, '', now(), now() FROM unnest($1::uuid[], $4::bytea[]) AS t (id, secret)`,
    [
      ids,
      workspaceId,
      url,
      ids.map((id) => secrets.replace(id, 'a secret of the benchmark', null, null).sealedSecret),
    ],
  )
  await source.query('INSERT INTO lanes (webhook_id) SELECT unnest($1::uuid[])', [ids])
  return { ids, workspaceId }
}

const record = (workspaceId, count) =>
  source.transaction((tx) =>
    recorder.record(
      tx,
      ...Array.from({ length: count }, () => ({
        type: 'link.created',
        workspaceId,
        linkId: null,
        data: payloads['link.created'].example,
      })),
    ),
  )

/** The prepared webhooks by group name. */
const groups = {}
const work = {
  /** Records events while the webhooks are paused. */
  async prepare({ name = 'main', webhooks, events, url }) {
    const group = (groups[name] = await createWebhooks(webhooks, url))
    for (let done = 0; done < events; done += 10) await record(group.workspaceId, Math.min(10, events - done))
    await source.query('ANALYZE deliveries, events, lanes, webhooks')
    return {}
  },

  async go({ name = 'main' }) {
    const { ids } = groups[name]
    await source.query(`UPDATE webhooks SET status = 'active' WHERE id = ANY ($1)`, [ids])
    const startedAt = Date.now()
    waker.wake(ids)
    return { startedAt }
  },

  /** Records single events at a steady rate, in all groups at the same time or in turn. */
  async steady({ names = ['main'], perSecond, count, inTurn = false }) {
    const first = performance.now()
    const turns = inTurn ? names.map((name) => [name]) : [names]
    const everyMs = 1000 / perSecond / turns.length
    for (let i = 0; i < count * turns.length; i++) {
      const wait = first + i * everyMs - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      for (const name of turns[i % turns.length]) void record(groups[name].workspaceId, 1)
    }
    return {}
  },

  async jobs() {
    const rows = await source.query(
      `SELECT webhook_id AS "webhookId", id FROM deliveries WHERE webhook_id = ANY ($1)`,
      [groups.main.ids],
    )
    return { jobs: rows }
  },

  async succeeded() {
    const [{ count }] = await source.query(
      `SELECT count(*)::int AS count FROM deliveries WHERE webhook_id = ANY ($1) AND status = 'succeeded'`,
      [groups.main.ids],
    )
    return { count }
  },

  async stop() {
    await app.close()
    await database.release()
    return {}
  },
}

process.on('message', async ({ what, ...options }) => {
  process.send(await work[what](options))
  if (what === 'stop') process.exit(0)
})
const { databaseUrl, tokenPepper, encryptionKey } = database.settings
process.send({ databaseUrl, tokenPepper, encryptionKey })
