/** The delivery health of a webhook: its state, its last error, and the next attempt. */
import { formatPercent } from '../../app/format.js'
import type { Webhook } from '@link-service/client'

import { A, Badge, NextAttempt, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { windowSize } from '../../lists/list-view.js'
import { failureName } from './failures.js'

/** The description that a person gave, otherwise the URL without its scheme. */
export function getWebhookName(webhook: Pick<Webhook, 'description' | 'url'>): string {
  return webhook.description || getUrlWithoutScheme(webhook)
}

/** The URL without its scheme. */
export function getUrlWithoutScheme({ url }: Pick<Webhook, 'url'>): string {
  return url.replace(/^https?:\/\//, '')
}

/** Whether the webhook needs attention. A paused webhook does not, because a user paused it. */
export function isInTrouble({ status, failing_since, circuit }: Webhook): boolean {
  if (status !== 'active') return status === 'disabled'
  return failing_since !== null || circuit !== 'closed'
}

function getWebhookState(webhook: Webhook): [Tone, string] {
  if (webhook.status === 'disabled') return ['bad', 'disabled']
  if (webhook.status === 'paused') return ['warn', 'paused']
  if (webhook.failing_since !== null) return ['bad', 'failing']
  // The receiver requested a pause with Retry-After.
  return webhook.circuit === 'closed' ? ['good', 'active'] : ['warn', 'waiting']
}

const states = ['active', 'paused', 'waiting', 'failing', 'disabled']

/** Returns a larger number for a state that needs more attention. */
export function getWebhookSeverity(webhook: Webhook): number {
  return states.indexOf(getWebhookState(webhook)[1])
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const [tone, text] = getWebhookState(webhook)
  return <Badge tone={tone}>{text}</Badge>
}

/** The last error, linked to its delivery. Rendered only while the webhook is in trouble. */
export function LastError({ webhook, isShort = false }: { webhook: Webhook; isShort?: boolean }) {
  const error = webhook.last_error
  if (!error || !isInTrouble(webhook)) return null
  return (
    <span class="last-error" title={error.message}>
      {!isShort && 'Last error: '}
      <A to={`/webhooks/${webhook.id}/deliveries/${error.delivery_id}`}>
        {isShort && error.status_code !== null && windowSize.value !== 'narrow'
          ? error.status_code
          : failureName(error.class, error.status_code)}
      </A>
      , <Time at={error.at} />
    </span>
  )
}

export function SuccessRate({ webhook: { success_rate_24h: rate } }: { webhook: Webhook }) {
  if (rate === null) return <>no attempts in the last 24 hours</>
  return <>{formatPercent(rate)} success rate in the last 24 hours</>
}

export function WebhookNextAttempt({ webhook }: { webhook: Webhook }) {
  if (webhook.next_attempt_at === null) return null
  return (
    <span>
      next attempt <NextAttempt at={webhook.next_attempt_at} />
    </span>
  )
}
