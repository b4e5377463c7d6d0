/** What a call can fail with. No error holds the request, so none can show a token. */

/** One wrong place in the input: a pointer into the body, a parameter of the query, or a header. */
export interface InputError {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
}

export interface Failure {
  message: string
  /** Null where there was no answer. */
  status: number | null
  code: string
  requestId?: string | null
  errors?: readonly InputError[]
  /** All fields of the answer, such as `required` and `granted` of `insufficient_scope`. */
  problem?: Readonly<Record<string, unknown>>
  retryAfterMs?: number | null
  cause?: unknown
}

/** The parent of all errors of this client. The reason of the caller's own `signal` is thrown as it is. */
export class LinkServiceError extends Error {
  /** A stable code for programs, such as `not_found`, `slug_taken` or `connection_failed`. */
  readonly code: string
  readonly status: number | null
  /** The id by which the operator finds the request in the log. */
  readonly requestId: string | null
  readonly errors: readonly InputError[]
  readonly problem: Readonly<Record<string, unknown>>
  /** How long the service asked to wait before the next call. */
  readonly retryAfterMs: number | null

  constructor({ message, status, code, requestId, errors, problem, retryAfterMs, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.requestId = requestId ?? null
    this.errors = errors ?? []
    this.problem = problem ?? {}
    this.retryAfterMs = retryAfterMs ?? null
  }
}

/** 400, 413, 415, 422: the request is wrong, and `errors` names every place. */
export class ValidationError extends LinkServiceError {}
/** 401: the token is missing, unknown, expired or revoked. */
export class UnauthorizedError extends LinkServiceError {}
/** 403: the token may not do this; `problem.required` names the scopes. */
export class ForbiddenError extends LinkServiceError {}
/** 404 */
export class NotFoundError extends LinkServiceError {}
/** 409: a slug or an external id is taken, or the state does not allow the call. */
export class ConflictError extends LinkServiceError {}
/** 412: the version in `ifMatch` is not the newest one. */
export class PreconditionFailedError extends LinkServiceError {}
/** 429 */
export class RateLimitedError extends LinkServiceError {}
/** 5xx */
export class ServerError extends LinkServiceError {}
/** No answer: no connection, or one that broke. Whether the service acted is not known. */
export class ConnectionError extends LinkServiceError {}
/** No answer in time. */
export class TimeoutError extends ConnectionError {}

const classes: Record<number, typeof LinkServiceError> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitedError,
}

/** The error of an answer without success. Its code is `unexpected_answer` if it is not of the API, but of a proxy. */
export function errorOfAnswer(status: number, headers: Headers, text: string): LinkServiceError {
  const problem = problemOf(text)
  const failure: Failure = {
    message: `The service answered ${status}, and not as its API does.`,
    status,
    code: 'unexpected_answer',
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterOf(headers.get('retry-after'), Date.now()),
  }
  // Only the API answers with a code. A 404 without one means that this is not the API, so it is no NotFoundError.
  if (problem === null) {
    return status >= 500 ? new ServerError(failure) : new (classOfForeign(status))(failure)
  }
  const errors = Array.isArray(problem['errors']) ? (problem['errors'] as InputError[]) : []
  const kind = classes[status] ?? (status >= 500 ? ServerError : LinkServiceError)
  return new kind({
    ...failure,
    message: messageOf(problem, errors),
    code: String(problem['code']),
    errors,
    problem,
  })
}

function classOfForeign(status: number): typeof LinkServiceError {
  return status === 429 ? RateLimitedError : LinkServiceError
}

/** The service's sentence covers one wrong place. If there are several, each gets a line. */
function messageOf(problem: Record<string, unknown>, errors: readonly InputError[]): string {
  const { detail, title, code } = problem
  if (errors.length < 2) return typeof detail === 'string' ? detail : String(code)
  const places = errors.map((error) => `${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`)
  return [String(title ?? code), ...places].join('\n  ')
}

function problemOf(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null
    return typeof value?.['code'] === 'string' ? value : null
  } catch {
    return null
  }
}

/** Reads seconds or a date. Null for anything else. */
function retryAfterOf(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
