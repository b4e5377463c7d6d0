/** Every error the service answers with: its status, its texts, and what the page at /errors/:code says. */
interface ProblemText {
  status: number
  title: string
  cause: string
  remedy: string
  /** An example of what its answers carry beside the standard members. */
  members?: Record<string, unknown>
}

export const problems = {
  unauthorized: {
    status: 401,
    title: 'A bearer token is needed',
    cause: 'The request has no Authorization header, or one with another scheme than Bearer.',
    remedy: 'Send the header `Authorization: Bearer <token>` with a token from POST /v1/auth/token.',
  },
  invalid_token: {
    status: 401,
    title: 'This token is not known',
    cause: 'The bearer token is not complete, was altered, or was never given out by this service.',
    remedy: 'Copy the whole token again, from lsk_ to its last character, or create a new one.',
  },
  token_expired: {
    status: 401,
    title: 'This token has expired',
    cause: 'The token was created with an expiry that has passed, or was rotated and its overlap has ended.',
    remedy: 'Create a new token, or use the one that the rotation answered with.',
  },
  token_revoked: {
    status: 401,
    title: 'This token was revoked',
    cause: 'Someone revoked the token, or the token that minted it together with its descendants.',
    remedy: 'Create a new token. If the revocation is a surprise, the audit log says which token did it.',
  },
  no_session: {
    status: 401,
    title: 'A session of the dashboard is needed',
    cause:
      'The cookie of the dashboard is missing or comes twice, or its session was ended, was not used for 12 hours, or is 7 days old.',
    remedy: 'Sign in again at /dashboard. Programs call the API under its own path, with a bearer token.',
  },
  invalid_code: {
    status: 401,
    title: 'This code does not sign in any more',
    cause: 'The code was used, is older than 10 minutes, or was never given out.',
    remedy: 'Make another one on the machine of the service, with `link-service dashboard`.',
  },
  cross_site: {
    status: 403,
    title: 'This request does not come from the dashboard',
    cause:
      'A request with a session would change something, and does not say that a page of this service sent it, or has a body of a type that forms send.',
    remedy:
      'Send it from a page of this service, as JSON. Programs call the API under its own path, with a bearer token.',
  },
  insufficient_scope: {
    status: 403,
    title: 'This token may not do that',
    cause: 'The operation needs a scope that the token does not have. A :write scope does not include :read.',
    remedy: 'Use a token that has every scope listed in `required`.',
    members: { required: ['links:write'], granted: ['links:read'] },
  },
  scope_escalation: {
    status: 403,
    title: 'A token cannot give more than it has',
    cause: 'The new token would have a scope that the calling token lacks, or would outlive it.',
    remedy: 'Ask only for scopes of the calling token and for an expiry no later than its own.',
    members: { excess: { scopes: ['tokens:write'] } },
  },
  not_found: {
    status: 404,
    title: 'Nothing is here',
    cause:
      'The address is not one of this service, or the id in it is unknown, malformed or of another workspace.',
    remedy: 'Check the path and the id. Ids are found with the list call of their resource.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not take that method',
    cause: 'The path exists, with other methods.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    cause:
      'The body is empty, is not UTF-8, breaks the grammar of JSON, names a key twice in one object, or has far more values than any call needs.',
    remedy: 'Send one JSON object, encoded in UTF-8, each key once.',
  },
  invalid_query: {
    status: 400,
    title: 'The query is not valid',
    cause:
      'A query parameter is unknown, is given twice, has a wrong value, or a cursor belongs to other parameters.',
    remedy:
      'Correct the parameters listed in `errors`. Use a cursor only with the parameters it was answered for.',
    members: {
      errors: [{ parameter: 'limit', code: 'invalid_number', detail: 'Write a whole number from 1 to 100.' }],
    },
  },
  invalid_header: {
    status: 400,
    title: 'A header is not valid',
    cause: 'A request header has a value that the service cannot use.',
    remedy: 'Correct the headers listed in `errors`.',
    members: {
      errors: [{ header: 'Authorization', code: 'given_twice', detail: 'Send one Authorization header.' }],
    },
  },
  bad_request: {
    status: 400,
    title: 'The request cannot be read',
    cause: 'The request breaks the rules of HTTP.',
    remedy: 'Use an HTTP client library to make the request.',
  },
  validation_failed: {
    status: 422,
    title: 'The input is not valid',
    cause: 'One or more fields have a value that is not allowed. Nothing was changed.',
    remedy: 'Correct every field listed in `errors` and send the request again.',
    members: {
      errors: [{ pointer: '/enabled', code: 'invalid_flag', detail: 'Write true or false, without quotes.' }],
    },
  },
  conflict: {
    status: 409,
    title: 'That is taken',
    cause:
      'Something else has the value already that must be unique, or had it once and it is not given out again.',
    remedy: 'Choose another value for the field named in `field`.',
    members: { field: 'slug' },
  },
  not_redeliverable: {
    status: 409,
    title: 'This delivery is not sent again',
    cause: 'The delivery was a test, which is sent once, or is older than events are kept.',
    remedy:
      'Ask for another test with POST /v1/webhooks/:id/test. What is too old can be read, as long as it is there.',
  },
  secret_unreadable: {
    status: 409,
    title: 'The secret of this webhook cannot be read',
    cause: 'It was sealed under another ENCRYPTION_KEY, so nothing can be signed with it.',
    remedy:
      'Give the webhook a new secret with PATCH /v1/webhooks/:id or POST /v1/webhooks/:id/secret/rotate, or have the operator put the old key back.',
  },
  gone: {
    status: 410,
    title: 'This link is no more',
    cause: 'The short link was deleted or disabled, or has expired.',
    remedy: 'Ask whoever gave you the link for a new one.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'This idempotency key was used for another request',
    cause: 'The same Idempotency-Key came within 24 hours with another body or for another operation.',
    remedy: 'Use a new key for each new request, and the old key only to repeat the same request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    cause: 'A request with the same Idempotency-Key has not been answered yet.',
    remedy: 'Wait a moment and send the request again with the same key.',
  },
  idempotency_unreadable: {
    status: 409,
    title: 'The first answer to this request cannot be read any more',
    cause: 'The request was made before, and its answer was sealed under another ENCRYPTION_KEY.',
    remedy: 'Look whether what you asked for is there. To ask for it once more, use a new key.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a type that the call does not take',
    cause: 'The Content-Type is missing or is not one that the operation takes, or the body is compressed.',
    remedy:
      'Send `Content-Type: application/json`, or for an import `text/csv` or `application/x-ndjson`, in UTF-8 and not compressed.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause:
      'JSON has more than 256 KiB, or more than 10 MiB in a call with many links; or the CSV or NDJSON of an import has more than 256 MiB. The `detail` names the limit that counts.',
    remedy: 'Send less in one request.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request line and headers together have more than 16 KiB.',
    remedy: 'Send fewer or shorter headers, or a shorter address.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The client did not send the whole request in time.',
    remedy: 'Send the request again, without pauses.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    cause: 'If-Match does not name the present version: someone changed the resource after it was read.',
    remedy: 'Read the resource again, and repeat the change with its new ETag.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The token, or all tokens of its workspace together, have used up the requests of the present time window.',
    remedy:
      'Wait for the seconds in Retry-After. The RateLimit header of each answer says how many are left of either.',
  },
  analytics_preparing: {
    status: 503,
    title: 'The figures are not ready yet',
    cause:
      'The service was upgraded, and counts the clicks that it had before. `progress` says how far it is.',
    remedy:
      'Send the request again after the seconds in Retry-After. Clicks are recorded meanwhile, and not lost.',
  },
  range_too_large: {
    status: 422,
    title: 'This would read too many clicks',
    cause:
      'Filters across dimensions, and edges within an hour or a day, are read click by click, and the range has too many of them.',
    remedy: 'Ask for the range in `fits`, or leave out a filter. Nothing is estimated.',
  },
  range_not_kept: {
    status: 422,
    title: 'These clicks are no longer kept one by one',
    cause:
      'Retention has dropped the clicks that a filter across dimensions, or an edge within an hour or a day, would need. Their figures are kept.',
    remedy: 'Ask for the range in `fits`, or leave out a filter.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong here',
    cause: 'A fault in the service. It is in the log under the request id of this answer.',
    remedy: 'Send the request again; if it fails again, tell the operator the request id.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot do this right now',
    cause: 'The storage behind the service is out of reach.',
    remedy: 'Send the request again after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ProblemText>

export type ProblemCode = keyof typeof problems

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text)
}
