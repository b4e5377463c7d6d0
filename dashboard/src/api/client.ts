/** The API client of all pages. Calls send the session cookie, and no token is stored. */
import { LinkService } from '@link-service/client'

import { isSignedIn } from '../app/session-state.js'

/** The path of the public API for calls that use a session instead of a bearer token. */
export const apiBase = '/dashboard/api'

async function fetchOrSignOut(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (response.status === 401) isSignedIn.value = false
  return response
}

export const service = new LinkService({
  baseUrl: apiBase,
  fetch: fetchOrSignOut,
  // Show a failure quickly: a user is waiting, and the page has a retry button.
  maxRetries: 1,
  maxRetryWaitMs: 2_000,
})
