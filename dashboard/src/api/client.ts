/** The one client of all pages. The session's cookie goes with each call; no token is ever kept here. */
import { LinkService } from '@link-service/client'

import { isSignedIn } from '../app/session-state.js'

/** The path of the public API for calls with a session in place of a bearer token. */
export const apiBase = '/dashboard/api'

async function fetchOrSignOut(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (response.status === 401) isSignedIn.value = false
  return response
}

export const service = new LinkService({
  baseUrl: apiBase,
  fetch: fetchOrSignOut,
  // A person waits, so a failure is shown soon, with a button to try again.
  maxRetries: 1,
  maxRetryWaitMs: 2_000,
})
