/** Errors of the network and of HTTP, and statuses that are no success, as failures that a person can act on. */
import { STATUS_CODES } from 'node:http'

import type { Origin } from './origin.js'
import { Failure } from './outcome.js'
import type { KeptHeaders } from './response-headers.js'
import { plainLine } from './safe-text.js'

type Explain = (origin: Origin) => Failure

const unreachable: Explain = ({ hostname }) =>
  new Failure('other', `There is no way to ${hostname} from here: its network cannot be reached.`)
const reset: Explain = () =>
  new Failure('reset', 'The receiver closed the connection before its answer was complete.')
const notHttp: Explain = () => new Failure('other', 'The receiver answered, but not in valid HTTP.')

const byCode = new Map<string | undefined, Explain>([
  [
    'ECONNREFUSED',
    ({ hostname, port }) => new Failure('refused', `Nothing listens on port ${port} of ${hostname}.`),
  ],
  ['ENETUNREACH', unreachable],
  ['EHOSTUNREACH', unreachable],
  ['EADDRNOTAVAIL', unreachable],
  ['ETIMEDOUT', ({ hostname }) => new Failure('timeout', `${hostname} did not answer.`)],
  ['ECONNRESET', reset],
  ['ECONNABORTED', reset],
  ['EPIPE', reset],
  [
    'UND_ERR_HEADERS_OVERFLOW',
    () => new Failure('too_large', 'The headers of the answer are too large or too many.'),
  ],
])

/** Undici says these of a connection that ended too early, and of one that it gave up for what came through it. */
const ambiguous = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

export function explainError(error: Error, origin: Origin, endedByPeer: boolean): Failure {
  if (error instanceof Failure) return error
  const { code } = error as NodeJS.ErrnoException
  const explain = byCode.get(code)
  if (explain) return explain(origin)
  if (error.name === 'HTTPParserError' || (code && ambiguous.has(code)))
    return endedByPeer ? reset(origin) : notHttp(origin)
  if (code?.startsWith('ERR_SSL_')) return new Failure('tls', `The secure connection broke (${code}).`)
  return new Failure('other', 'The request could not be sent.')
}

/** Null for success, which is 2xx and nothing else. */
export function explainStatus(status: number, headers: KeptHeaders): Failure | null {
  if (status >= 200 && status < 300) return null
  const answered = `The receiver answered ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}`
  if (status < 300 || status >= 400) return new Failure('http_status', `${answered}.`)
  const location = plainLine(headers['location'] ?? '', 200)
  return new Failure(
    'redirect',
    location
      ? `${answered} and points to ${location}; redirects are not followed.`
      : `${answered}; redirects are not followed.`,
  )
}
