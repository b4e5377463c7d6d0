/** Calls that the typed client has no method for yet, with the same errors. */
import { ConnectionError, LinkServiceError, NotFoundError, ValidationError } from '@link-service/client'

import { apiBase, fetchOrSignOut } from './service.js'

export interface RawCall {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
  body?: unknown
  /** Is sent as it is, with its type. */
  text?: { type: string; content: string }
  signal?: AbortSignal
}

export async function rawCall<T>(path: string, call: RawCall = {}): Promise<T> {
  const { method = 'GET', body, text, signal } = call
  const type = text?.type ?? (body === undefined ? null : 'application/json')
  const response = await fetchOrSignOut(addressOf(path, call.query), {
    method,
    headers: { accept: 'application/json', ...(type === null ? {} : { 'content-type': type }) },
    body: text?.content ?? (body === undefined ? null : JSON.stringify(body)),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    const message = 'The service could not be reached.'
    throw new ConnectionError({ status: null, code: 'connection_failed', message, cause })
  })
  const answer = await response.text()
  if (!response.ok) throw errorOf(response, answer)
  return (answer === '' ? undefined : JSON.parse(answer)) as T
}

export function addressOf(path: string, query: RawCall['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? (value as string[]) : [value])
      if (each !== undefined && each !== null && each !== '') parameters.append(name, String(each))
  const search = parameters.toString()
  return apiBase + path + (search && `?${search}`)
}

function errorOf(response: Response, answer: string): LinkServiceError {
  const problem = problemOf(answer)
  const failure = {
    message: typeof problem.detail === 'string' ? problem.detail : `The service answered ${response.status}.`,
    status: response.status,
    code: typeof problem.code === 'string' ? problem.code : 'unexpected_answer',
    requestId: response.headers.get('x-request-id'),
    errors: (problem.errors ?? []) as never[],
    problem,
  }
  if (response.status === 404) return new NotFoundError(failure)
  return response.status === 422 ? new ValidationError(failure) : new LinkServiceError(failure)
}

function problemOf(answer: string): Record<string, unknown> {
  try {
    return (JSON.parse(answer) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
