/** The webhook portal: the pages of one webhook, for the user who runs its receiver. */
import { signal } from '@preact/signals'

import { base, isPortal } from './base.js'

export interface PortalSession {
  webhook_id: string
  allow: readonly string[]
  expires_at: string
}

/** The session of the portal. Null in the dashboard, and until the session is known. */
export const portal = signal<PortalSession | null>(null)

/** Reads the session of the portal. Returns the response if it is an error. */
export async function loadPortal(): Promise<Response | null> {
  const response = await fetch(`${base}/session`)
  if (!response.ok) return response
  portal.value = (await response.json()) as PortalSession
  return null
}

/** The path of the only webhook, or null in the dashboard. */
export function portalHome(): string | null {
  return isPortal && portal.value ? `/webhooks/${portal.value.webhook_id}` : null
}
