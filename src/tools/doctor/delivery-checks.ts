/** Checks whether events reach receivers: the queue, the workers, and the secrets that sign. */
import { encodeId } from '../../platform/database/ids.js'
import { Sealing } from '../../platform/database/sealing.js'
import { WorkersRepository } from '../../dispatch/workers.repository.js'
import { LeasesRepository } from '../../dispatch/leases.repository.js'
import type { QueueAddress } from '../../platform/queue/backend.js'
import type { QueueView } from '../../platform/queue/queue-view.js'
import { WebhookSecrets } from '../../webhooks/webhook-secrets.js'
import { fail, ok, warn } from './check.js'
import type { Finding } from './check.js'
import type { RunningDatabase } from './database-checks.js'

const mostLateSeconds = 300
const secretsTried = 1_000

export async function queue({ redisUrl }: QueueAddress, viewed: Promise<QueueView>): Promise<Finding> {
  const { evictionPolicy } = await viewed
  if (redisUrl === null) return ok('The database holds it.')
  return evictionPolicy === 'noeviction'
    ? ok('Redis answers.')
    : warn(
        `Redis has the maxmemory-policy ${evictionPolicy ?? 'unknown'}, by which it may drop jobs. Set it to noeviction.`,
      )
}

/** The queue knows the workers that reach it, the database those that reach the database. The larger number is closer. */
export async function workers({ source }: RunningDatabase, viewed: Promise<QueueView>): Promise<Finding> {
  const { workers: waiting } = await viewed
  const count = Math.max(waiting, await new WorkersRepository(source).countAlive())
  if (count === 0)
    return warn(
      'No worker runs, so deliveries wait. Start the service with ROLE=all, or a worker beside it (`link-service worker`).',
    )
  return ok(`Workers: ${count}.`)
}

export async function overdue({ source }: RunningDatabase): Promise<Finding> {
  const longest = await new LeasesRepository(source).longestDue()
  if (!longest || longest.lateSeconds < mostLateSeconds) return ok('None waits for longer than it should.')
  const minutes = Math.floor(longest.lateSeconds / 60)
  const webhook = encodeId('wh', longest.webhookId)
  return warn(
    `One to ${webhook} should have been sent ${minutes} minutes ago. See that workers run, add some, and look at GET /v1/webhooks/${webhook}/stats.`,
  )
}

export async function encryptionKey({ source, settings }: RunningDatabase): Promise<Finding> {
  const secrets = new WebhookSecrets(new Sealing(settings))
  const webhooks: { id: string; sealedSecret: Buffer }[] = await source.query(
    'SELECT id, sealed_secret AS "sealedSecret" FROM webhooks WHERE deleted_at IS NULL ORDER BY id DESC LIMIT $1',
    [secretsTried],
  )
  const unreadable = webhooks.filter((webhook) => !secrets.isReadable(webhook)).length
  if (unreadable === 0) return ok(webhooks.length === 0 ? 'Nothing is sealed.' : 'It opens what is sealed.')
  return fail(
    `ENCRYPTION_KEY is not the one that secrets were sealed with: ${unreadable} of ${webhooks.length} webhook secrets cannot be read. Put the old key back, or give those webhooks new secrets.`,
  )
}
