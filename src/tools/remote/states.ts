/** The words and colors for the states of resources. They match the dashboard. */
import type { Delivery, Link, Webhook } from '@link-service/client'

import type { Tone } from '../../platform/command-line/screen.js'
import type { State } from '../../platform/command-line/table.js'

const webhookTones = { paused: 'warn', disabled: 'bad' } as const

export function webhookState({ status, failing_since }: Pick<Webhook, 'status' | 'failing_since'>): State {
  if (status !== 'active') return { word: status, tone: webhookTones[status] }
  return failing_since === null ? { word: 'active', tone: 'good' } : { word: 'failing', tone: 'bad' }
}

export function linkState({ enabled, expires_at }: Pick<Link, 'enabled' | 'expires_at'>): State {
  if (!enabled) return { word: 'disabled', tone: 'warn' }
  if (expires_at === null) return { word: 'enabled', tone: 'good' }
  return Date.parse(expires_at) <= Date.now()
    ? { word: 'expired', tone: 'bad' }
    : { word: 'expires', tone: 'good' }
}

export const deliveryTones: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  held: 'warn',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'plain',
}
