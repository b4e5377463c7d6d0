/** What an entry of the table of problems contains, and the problems that any request can have. */
export interface ProblemEntry {
  status: number
  title: string
  cause: string
  remedy: string
  /** Example of `errors`, for problems that list invalid parts of the input. */
  errors?: readonly object[]
  /** Schemas with examples of additional members of the response. */
  members?: Readonly<Record<string, ProblemMember>>
}

export interface ProblemMember {
  example: unknown
  [keyword: string]: unknown
}

export const requestProblems = {
  not_found: {
    status: 404,
    title: 'Not found',
    cause: 'No route matches the URL, or its ID is malformed, unknown, or belongs to another workspace.',
    remedy: 'Check the path and the ID. To find an ID, list the resources.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists, but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    cause:
      'The body is empty, is not valid UTF-8 or JSON, has a duplicate key in an object, or has too many values.',
    remedy: 'Send one JSON object in UTF-8 without duplicate keys.',
  },
  invalid_query: {
    status: 400,
    title: 'The query is not valid',
    cause:
      'A query parameter is unknown, is repeated or has an invalid value, or a cursor belongs to a list with other parameters.',
    remedy:
      'Fix the parameters listed in `errors`. Use a cursor only with the parameters of the page that returned it.',
    errors: [{ parameter: 'limit', code: 'invalid_number', detail: 'Must be a whole number from 1 to 100.' }],
  },
  invalid_header: {
    status: 400,
    title: 'A header is not valid',
    cause: 'A request header has an invalid value.',
    remedy: 'Fix the headers listed in `errors`.',
    errors: [{ header: 'Authorization', code: 'duplicate', detail: 'Send one Authorization header.' }],
  },
  bad_request: {
    status: 400,
    title: 'The request cannot be read',
    cause: 'The request is not valid HTTP.',
    remedy: 'Use an HTTP client library to send the request.',
  },
  validation_failed: {
    status: 422,
    title: 'The input is not valid',
    cause: 'One or more fields have invalid values. Nothing was changed.',
    remedy: 'Fix every field listed in `errors` and send the request again.',
    errors: [{ pointer: '/enabled', code: 'invalid_flag', detail: 'Must be true or false, without quotes.' }],
  },
  idempotency_mismatch: {
    status: 422,
    title: 'This idempotency key was used for another request',
    cause:
      'The same Idempotency-Key was used in the last 24 hours with another body or for another operation.',
    remedy: 'Use a new key for each new request. Reuse a key only to retry the same request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    cause: 'A request with the same Idempotency-Key has no response yet.',
    remedy: 'Wait a second and send the request again with the same key.',
  },
  idempotency_unreadable: {
    status: 409,
    title: 'The stored response to this request cannot be read',
    cause: 'The request was sent before, and its response was encrypted with another ENCRYPTION_KEY.',
    remedy: 'Check whether the first request succeeded. To send the request again, use a new key.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The Content-Type is missing or is not supported by the operation, or the body is compressed.',
    remedy:
      'Send `Content-Type: application/json`, or one of the file types of the operation, in UTF-8 and not compressed.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause:
      'The JSON body is larger than 256 KiB (10 MiB in a bulk request, 2 KiB in a request without a token), or the file is larger than 256 MiB. `detail` states the limit.',
    remedy: 'Split the data into several requests.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request line and headers together are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers, or a shorter URL.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause:
      'The headers or the body arrived too slowly. Headers must arrive within a minute. The body of a request without a token must arrive within 10 seconds. After 30 seconds, other JSON bodies must arrive at 1 KiB per second or faster.',
    remedy: 'Send the request again over a faster connection.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    cause:
      'The resource was changed after you read it, so the ETag in If-Match is not the current one. Or the resource exists, although If-None-Match requires that it does not.',
    remedy: 'Read the resource again, and repeat the change with the new ETag.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause: 'A rate limit was exceeded in the current time window. Other callers may share the limit.',
    remedy:
      'Wait for the number of seconds in Retry-After. The RateLimit header of each response contains the number of remaining requests.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause:
      'An unexpected error occurred. The service log contains the error with the request ID of this response.',
    remedy: 'Send the request again. If it fails again, give the request ID to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable right now',
    cause: 'The database does not respond, is read-only, or is overloaded.',
    remedy: 'Send the request again after the number of seconds in Retry-After.',
  },
} satisfies Record<string, ProblemEntry>
