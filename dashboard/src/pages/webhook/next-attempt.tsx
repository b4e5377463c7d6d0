/** When a delivery is tried next. While the circuit of its webhook is open, that is not what its own time says. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { now } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Time } from '../../components/basics.js'

type Stats = ResultOf<'getWebhookStats'>

const refreshMs = 5_000

/** Read while there is something that waits. */
export function useCircuit(webhookId: string, isWaiting: boolean): Stats | null {
  const stats = useResource(
    isWaiting ? `stats ${webhookId}` : null,
    (signal) => service.webhooks.stats(webhookId, { signal }),
    { everyMs: refreshMs },
  )
  return stats.data
}

export function NextAttempt({ at, stats }: { at: string; stats: Stats | null }) {
  if (!stats || stats.circuit === 'closed') return <When at={at} />
  const { next_attempt_at: probeAt } = stats
  const isLater = probeAt === null || Date.parse(at) > Date.parse(probeAt)
  if (isLater) return <When at={at} />
  return (
    <span
      class="nowrap"
      title="The circuit of the webhook is open: one attempt at a time, until one succeeds."
    >
      after the probe, <When at={probeAt} />
    </span>
  )
}

/** What is due is in the line, or on its way. */
export function When({ at }: { at: string }) {
  return Date.parse(at) <= Math.max(now.value, Date.now()) ? <>now</> : <Time at={at} />
}
