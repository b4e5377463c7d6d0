/** The errors of calls. They do not contain the request, so they cannot leak a token. */

/** One invalid input: a pointer into the body, a query parameter, or a header. */
export interface InputError {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
}

export interface Failure {
  message: string
  /** Null without a response. */
  status: number | null
  code: string
  requestId?: string | null
  errors?: readonly InputError[]
  /** All fields of the response, such as `required` and `granted` of `insufficient_scope`. */
  problem?: Readonly<Record<string, unknown>>
  retryAfterMs?: number | null
  cause?: unknown
}

/** The base class of all errors of this client. If the caller's `signal` aborts, its reason is thrown instead. */
export class LinkServiceError extends Error {
  /** A stable code for programs, such as `not_found`, `conflict` or `connection_failed`. */
  readonly code: string
  readonly status: number | null
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  readonly errors: readonly InputError[]
  readonly problem: Readonly<Record<string, unknown>>
  /** The delay that the service requested in `Retry-After`. */
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

/** 400, 413, 415, 422: the request is invalid. `errors` lists every invalid input. */
export class ValidationError extends LinkServiceError {}
/** 401: the token is missing, unknown, expired or revoked. */
export class UnauthorizedError extends LinkServiceError {}
/** 403: the token lacks a scope. `problem.required` names the scopes. */
export class ForbiddenError extends LinkServiceError {}
/** 404 */
export class NotFoundError extends LinkServiceError {}
/** 409: a slug or external ID is taken, or the state does not allow the call. */
export class ConflictError extends LinkServiceError {}
/** 412: the object has changed since the version in `ifMatch`. */
export class PreconditionFailedError extends LinkServiceError {}
/** 429 */
export class RateLimitedError extends LinkServiceError {}
/** 5xx */
export class ServerError extends LinkServiceError {}
/** No connection, or a broken one. The service may have processed the request. */
export class ConnectionError extends LinkServiceError {}
/** No response within the time limit. Check for it before `ConnectionError`, its base class. */
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

/** Returns the error of a response. The code is `unexpected_answer` if it does not come from the API. */
export function toError(status: number, headers: Headers, text: string): LinkServiceError {
  const problem = parseProblem(text)
  const failure: Failure = {
    message: `The response with status ${status} does not come from the Link Service API.`,
    status,
    code: 'unexpected_answer',
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
  }
  // Only the API sends a code. A 404 without a code comes from something else, so it is not a NotFoundError.
  if (problem === null) {
    return status >= 500 ? new ServerError(failure) : new (getClassForStatus(status))(failure)
  }
  const errors = Array.isArray(problem['errors']) ? (problem['errors'] as InputError[]) : []
  const kind = classes[status] ?? (status >= 500 ? ServerError : LinkServiceError)
  return new kind({
    ...failure,
    message: createMessage(problem, errors),
    code: String(problem['code']),
    errors,
    problem,
  })
}

function getClassForStatus(status: number): typeof LinkServiceError {
  return status === 429 ? RateLimitedError : LinkServiceError
}

/** Returns the message of the service, or one line per error if there are several. */
function createMessage(problem: Record<string, unknown>, errors: readonly InputError[]): string {
  const { detail, title, code } = problem
  if (errors.length < 2) return typeof detail === 'string' ? detail : String(code)
  const details = errors.map(
    (error) => `${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`,
  )
  return [String(title ?? code), ...details].join('\n  ')
}

function parseProblem(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null
    return typeof value?.['code'] === 'string' ? value : null
  } catch {
    return null
  }
}

/** Parses seconds or a date. Returns null for anything else. */
function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
