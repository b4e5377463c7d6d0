/** The API client of all pages. Calls send the session cookie, and no token is stored. */
import { LinkService } from '@link-service/client'

import { apiBase } from '../app/base.js'
import { isSignedIn, me } from '../app/session-state.js'

export async function fetchOrSignOut(...request: Parameters<typeof fetch>): Promise<Response> {
  const sender = me.value
  const response = await fetch(...request)
  // A new session, which has replaced `me`, has not ended.
  if (response.status === 401 && me.value === sender) isSignedIn.value = false
  return response
}

export const serviceOptions = {
  baseUrl: apiBase,
  // Show a failure quickly: a user is waiting, and the page has a retry button.
  maxRetries: 1,
  maxRetryWaitMs: 2_000,
}

export const service = new LinkService({ ...serviceOptions, fetch: fetchOrSignOut })

/** Its requests continue after the page is closed. Browsers limit their bodies to 64 KiB in total. */
export const keepaliveService = new LinkService({
  ...serviceOptions,
  fetch: (url, request) => fetchOrSignOut(url, { ...request, keepalive: true }),
})
