import type { RunningSettings } from '../settings.js'

/** Returns the URL of the dashboard for messages, or null if it is off. */
export function dashboardUrl({ dashboard, publicUrl }: RunningSettings): string | null {
  return dashboard === 'on' ? `${publicUrl}/dashboard` : null
}
