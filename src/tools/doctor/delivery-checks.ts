/** Checks the delivery of events: the queue, the workers, overdue deliveries, and the signing secrets. */
import { DeliveryPauses, describePause } from '../../deliveries/delivery-pause.js'
import { encodeId } from '../../platform/database/ids.js'
import { Sealing } from '../../platform/database/sealing.js'
import { WorkersRepository } from '../../dispatch/workers.repository.js'
import { LeasesRepository } from '../../dispatch/leases.repository.js'
import type { QueueAddress } from '../../platform/queue/backend.js'
import type { QueueView } from '../../platform/queue/queue-view.js'
import { formatHost } from '../../platform/config/egress-settings.js'
import type { ProxyAddress } from '../../platform/config/egress-settings.js'
import { commandText } from '../../platform/util/program.js'
import { WebhookHeaders } from '../../webhooks/webhook-headers.js'
import { WebhookSecrets } from '../../webhooks/webhook-secrets.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import { fail, ok, warn } from './check.js'
import type { Finding } from './check.js'
import type { RunningDatabase } from './database-checks.js'

const maxLateSeconds = 300
const maxSecrets = 1_000

export async function queue({ redisUrl }: QueueAddress, viewed: Promise<QueueView>): Promise<Finding> {
  const { evictionPolicy } = await viewed
  if (redisUrl === null) return ok('The queue is in the database.')
  return evictionPolicy === 'noeviction'
    ? ok('Redis responds.')
    : warn(
        `The maxmemory-policy of Redis is ${evictionPolicy ?? 'unknown'}, which can evict jobs. Set maxmemory-policy to noeviction.`,
      )
}

/** Uses the larger of two counts, because the queue and the database each know only the workers that reach them. */
export async function workers({ source }: RunningDatabase, viewed: Promise<QueueView>): Promise<Finding> {
  const { workers: inQueue } = await viewed
  const { sending, leaving } = await new WorkersRepository(source).countLiveWorkers()
  const count = Math.max(inQueue - leaving, sending)
  if (count === 0 && leaving > 0)
    return warn(`No deliveries are sent, because every worker is drained: ${leaving}. Restart one of them.`)
  if (count === 0)
    return warn(
      'No worker is running, so no deliveries are sent. Start the service with ROLE=all, or start a worker (`link-service worker`).',
    )
  return ok(`Running workers: ${count}${leaving > 0 ? `, and ${leaving} drained` : ''}.`)
}

export async function overdue({ source }: RunningDatabase): Promise<Finding> {
  const pause = await new DeliveryPauses(source).findPause()
  if (pause)
    return warn(`${describePause(pause)} To send the waiting deliveries: ${commandText('deliveries resume')}`)
  const longest = await new LeasesRepository(source).findLongestDue()
  if (!longest || longest.lateSeconds < maxLateSeconds) return ok('No delivery is overdue.')
  const minutes = Math.floor(longest.lateSeconds / 60)
  const webhook = encodeId('wh', longest.webhookId)
  return warn(
    `A delivery to ${webhook} is ${minutes} minutes overdue. Make sure that workers are running, add workers, and run: ${commandText(`webhooks stats ${webhook}`)}`,
  )
}

/** Reports the fault that a worker observed. Doctor sends nothing through the proxy itself. */
export async function egressProxy({ source }: RunningDatabase, proxy: ProxyAddress): Promise<Finding> {
  const name = `${formatHost(proxy.host)}:${proxy.port}`
  const fault = await new WorkersRepository(source).findProxyFault()
  return fault
    ? warn(
        `The egress proxy ${name} has been failing since ${fault.since.toISOString()} on ${fault.workers} ${fault.workers === 1 ? 'worker' : 'workers'}, so deliveries wait: ${fault.message} Check that the proxy is running, and the host, port and credentials in WEBHOOK_PROXY.`,
      )
    : ok(`Deliveries use the egress proxy ${name}. No worker reports a fault.`)
}

export async function notices({ source, settings }: RunningDatabase): Promise<Finding> {
  const [state]: { targets: string; failingSince: Date | null; reason: string | null }[] = await source.query(
    `SELECT (SELECT count(*) FROM notice_targets) AS targets, min(failing_since) AS "failingSince",
       (array_agg(last_error ORDER BY failing_since) FILTER (WHERE last_error IS NOT NULL))[1] AS reason
     FROM notice_groups WHERE failing_since < now() - interval '1 hour'`,
  )
  const { targets, failingSince, reason } = state!
  if (failingSince !== null)
    return warn(
      `Notices have not been accepted since ${failingSince.toISOString()}: ${reason ?? 'The reason is unknown.'} Check NOTICES, and the notice targets of the workspaces.`,
    )
  const count = Number(targets) + (settings.notices?.targets.length ?? 0)
  return ok(
    count === 0
      ? 'No notice targets are configured, so failing webhooks and expiring tokens are not reported. Set NOTICES, or add a notice target in a workspace.'
      : `Notice targets: ${count}.`,
  )
}

export async function encryptionKey({ source, settings }: RunningDatabase): Promise<Finding> {
  const sealing = new Sealing(settings)
  const [secrets, headers] = [new WebhookSecrets(sealing), new WebhookHeaders(sealing)]
  const webhooks: Pick<Webhook, 'id' | 'sealedSecret' | 'sealedHeaders'>[] = await source.query(
    `SELECT id, sealed_secret AS "sealedSecret", sealed_headers AS "sealedHeaders"
     FROM webhooks WHERE deleted_at IS NULL ORDER BY id DESC LIMIT $1`,
    [maxSecrets],
  )
  const unreadable = webhooks.filter(
    (webhook) => !secrets.isReadable(webhook) || !headers.isReadable(webhook),
  ).length
  if (unreadable === 0)
    return ok(
      webhooks.length === 0 ? 'There are no encrypted secrets.' : 'All webhook secrets can be decrypted.',
    )
  return fail(
    `ENCRYPTION_KEY is not the key that encrypted the secrets: the secrets or custom headers of ${unreadable} of ${webhooks.length} webhooks cannot be decrypted. Restore the previous key, or rotate the secrets of these webhooks and set their headers again.`,
  )
}
