/** The errors that any service over HTTP answers with. Features declare those of their own. */

interface ProblemText {
  status: number
  title: string
  cause: string
  remedy: string
  /** An example of what its answers carry beside the standard members. */
  members?: Record<string, unknown>
}

/** A kind of error: its code, its status, its texts, and what the page at /errors/:code says. */
export interface ProblemKind extends ProblemText {
  code: string
}

/** Gives each kind its code. A feature's kinds also stand in app/docs/all-problems.ts. */
export function declareProblems<Code extends string>(
  texts: Readonly<Record<Code, ProblemText>>,
): Readonly<Record<Code, ProblemKind>> {
  const kinds = Object.entries<ProblemText>(texts).map(([code, text]) => [code, { ...text, code }])
  return Object.fromEntries(kinds) as Record<Code, ProblemKind>
}

export const problems = declareProblems({
  not_found: {
    status: 404,
    title: 'Nothing is here',
    cause:
      'The address is not one of this service, or the id in it is unknown or malformed, or is not yours to see.',
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
      'Send `Content-Type: application/json`, or for a file one of the types that the call names, in UTF-8 and not compressed.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause:
      'JSON has more than 256 KiB (10 MiB in a bulk call, 2 KiB in a call without a token), or a file has more than 256 MiB. The `detail` names the limit.',
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
    cause:
      'The client did not send the headers within a minute, the body of a call without a token within 10 seconds, or any other JSON body at 1 KiB a second after 30 seconds.',
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
      'You, or all callers who share a limit with you, have used up the requests of the present time window.',
    remedy:
      'Wait for the seconds in Retry-After. The RateLimit header of each answer says how many are left of each limit.',
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
    cause: 'The database does not respond, is read-only, or has no free connection or time at the moment.',
    remedy: 'Send the request again after the seconds in Retry-After.',
  },
})
