/** Short names for failed attempts. */
import type { Delivery, KnownValue } from '@link-service/client'

type AttemptError = NonNullable<NonNullable<Delivery['last_attempt']>['error']>
export type ErrorClass = AttemptError['class']

export const errorNames: Record<KnownValue<ErrorClass>, string> = {
  http_status: 'Error response',
  timeout: 'Timeout',
  refused: 'Connection refused',
  reset: 'Connection closed',
  dns: 'DNS lookup failed',
  tls: 'TLS error',
  redirect: 'Redirect',
  blocked_address: 'Blocked IP address',
  proxy: 'Egress proxy failed',
  too_large: 'Response too large',
  canceled: 'Canceled',
  other: 'Request failed',
}

const namesByClass: Partial<Record<string, string>> = errorNames

/** The API returns no status text, because HTTP/2 has none. */
const statusTexts: Partial<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

export function statusName(code: number): string {
  return `${code} ${statusTexts[code] ?? ''}`.trimEnd()
}

/** Returns the name of a failure, such as `500 Internal Server Error` or `Timeout`. */
export function failureName(errorClass: ErrorClass, statusCode: number | null): string {
  const isResponse = errorClass === 'http_status' || errorClass === 'redirect'
  return isResponse && statusCode !== null
    ? statusName(statusCode)
    : (namesByClass[errorClass] ?? errorNames.other)
}
