/** The session and the scopes of its token. */
import { signal } from '@preact/signals'
import { ForbiddenError, LinkServiceError } from '@link-service/client'

import { service } from '../api/client.js'
import { base, isPortal } from './base.js'
import { forgetRememberedValues, forgetValuesOfOtherTokens } from './remembered-values.js'
import { loadPortal, portal } from './portal.js'
import { dismissAll, dismissSuccesses } from './notices.js'
import { sendPendingDeletions } from './pending-deletions.js'
import { clearCache, retryFailed } from './resource.js'
import { isSignedIn, me } from './session-state.js'
import type { Me } from './session-state.js'

/** The error from starting the session. A rejected code is an error, a missing session is not. */
export const startError = signal<unknown>(null)

const sessionUrl = `${base}/session`

/** The code from the URL. Kept until a sign-in succeeds, so that it can be retried after a failure of the service. */
let pendingCode: string | null = null

/** Removes the code from the URL and signs in with it. Without a code, resumes the session. */
export async function startSession(): Promise<void> {
  const before = me.value
  startError.value = null
  // Keep the sign-in form, in which the user may have typed a token. The portal has none.
  if (isPortal) isSignedIn.value = null
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? pendingCode
  pendingCode = code
  if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
  try {
    if (code) await signIn({ code })
    else await loadMe()
  } catch (error) {
    // The user has signed in with the form since.
    if (me.value !== before) return
    if (code || !isUnauthorized(error)) startError.value = error
    isSignedIn.value = false
  }
}

export async function signIn(secret: { token: string } | { code: string }): Promise<void> {
  const response = await fetch(sessionUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(secret),
  })
  if (!response.ok) throw await readErrorResponse(response)
  pendingCode = null
  clearCache()
  await loadMe()
  retryFailed()
}

/** Continues the session if another tab has signed in with the same token. */
export async function resumeSession(): Promise<void> {
  const token = await service.tokens.self().catch(() => null)
  if (!token || token.id !== me.value?.id) return
  me.value = token
  isSignedIn.value = true
  retryFailed()
}

export async function signOut({ everywhere = false } = {}): Promise<void> {
  const areDeletionsSent = await sendPendingDeletions()
  // If the session was already gone, there is no page to stay on.
  if (!areDeletionsSent && isSignedIn.value !== false) return
  const response = await fetch(sessionUrl + (everywhere ? '?all=true' : ''), { method: 'DELETE' })
  if (!response.ok && response.status !== 401) throw await readErrorResponse(response)
  clearCache()
  forgetRememberedValues()
  if (areDeletionsSent) dismissAll()
  else dismissSuccesses()
  me.value = null
  isSignedIn.value = false
}

async function loadMe(): Promise<void> {
  if (isPortal) {
    const failed = await loadPortal()
    if (failed) throw await readErrorResponse(failed)
    isSignedIn.value = true
    return
  }
  me.value = await service.tokens.self()
  forgetValuesOfOtherTokens(me.value.id)
  isSignedIn.value = true
}

async function readErrorResponse(response: Response): Promise<LinkServiceError> {
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>
  return new LinkServiceError({
    message:
      typeof problem.detail === 'string'
        ? problem.detail
        : `The service responded with status ${response.status}.`,
    status: response.status,
    code: typeof problem.code === 'string' ? problem.code : 'unexpected_answer',
    requestId: response.headers.get('x-request-id'),
  })
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof LinkServiceError && error.status === 401
}

export function can(scope: Me['scopes'][number]): boolean {
  if (isPortal) return scope === 'webhooks:read'
  return me.value?.scopes.includes(scope) ?? false
}

/** Returns whether the user may do this with a webhook. A portal link allows only some actions. */
export function canUseWebhook(action: 'edit' | 'test' | 'replay' | 'rotate'): boolean {
  return isPortal ? (portal.value?.allow.includes(action) ?? false) : can('webhooks:write')
}

/** Returns the missing scopes if the error is about scopes, otherwise null. */
export function missingScopes(error: unknown): string[] | null {
  if (!(error instanceof ForbiddenError) || error.code !== 'insufficient_scope') return null
  const { required } = error.problem
  return Array.isArray(required) ? required.map(String) : []
}
