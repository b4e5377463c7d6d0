/** Who is signed in, and what their token may do. */
import { signal } from '@preact/signals'
import { ForbiddenError, LinkServiceError } from '@link-service/client'
import type { ResultOf } from '@link-service/client'

import { service } from '../api/client.js'
import { forgetAll } from './resource.js'
import { isSignedIn } from './session-state.js'

export type Me = ResultOf<'getOwnToken'>

export const me = signal<Me | null>(null)
/** The error of the start. A missing session is no error, but a refused code is. */
export const startError = signal<unknown>(null)
/** False once a code was refused, because a code works only once. */
export const mayTryAgain = signal(true)

const address = '/dashboard/session'

/** Signs in with the code of a printed address, or resumes a session. The code is first removed from the address. */
export async function startSession(): Promise<void> {
  startError.value = null
  mayTryAgain.value = true
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (location.hash) history.replaceState(null, '', location.pathname + location.search)
  try {
    if (code) await signIn({ code })
    else await loadMe()
  } catch (error) {
    if (!isRefusal(error)) startError.value = error
    else if (code) {
      startError.value = error
      mayTryAgain.value = false
    }
    isSignedIn.value = false
  }
}

export async function signIn(secret: { token: string } | { code: string }): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(secret),
  })
  if (!response.ok) throw await refusalOf(response)
  forgetAll()
  await loadMe()
}

export async function signOut({ everywhere = false } = {}): Promise<void> {
  const response = await fetch(address + (everywhere ? '?all=true' : ''), { method: 'DELETE' })
  if (!response.ok && response.status !== 401) throw await refusalOf(response)
  forgetAll()
  me.value = null
  isSignedIn.value = false
}

async function loadMe(): Promise<void> {
  me.value = await service.tokens.self()
  isSignedIn.value = true
}

async function refusalOf(response: Response): Promise<LinkServiceError> {
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>
  return new LinkServiceError({
    message: typeof problem.detail === 'string' ? problem.detail : `The service answered ${response.status}.`,
    status: response.status,
    code: typeof problem.code === 'string' ? problem.code : 'unexpected_answer',
    requestId: response.headers.get('x-request-id'),
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof LinkServiceError && error.status === 401
}

export function can(scope: Me['scopes'][number]): boolean {
  return me.value?.scopes.includes(scope) ?? false
}

/** The scopes that a refusal says are missing. */
export function missingScopes(error: unknown): string[] | null {
  if (!(error instanceof ForbiddenError) || error.code !== 'insufficient_scope') return null
  const { required } = error.problem
  return Array.isArray(required) ? required.map(String) : []
}
