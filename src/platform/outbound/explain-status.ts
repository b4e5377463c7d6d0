import { STATUS_CODES } from 'node:http'

import { Failure } from './failure.js'
import type { KeptHeaders } from './response-headers.js'
import { plainLine } from './safe-text.js'

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
