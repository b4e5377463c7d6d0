/**
 * Reads from the API. What passes by itself (a restart, a lost network, too many requests) is waited out; what does not
 * (a refused token, a missing scope, another program at the address) ends the run with a line that says what to do.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { request } from 'undici'

import { StartupError } from '../../platform/config/startup-error.js'
import { retryAfter } from '../../platform/outbound/retry-after.js'
import { plainLine } from '../../platform/outbound/safe-text.js'
import { version } from '../../platform/http/version.js'
import { withDeadline } from './deadline.js'
import { explainNetworkError } from './network-error.js'

interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

/** What may be asked again, and why. */
interface Trouble {
  reason: string
  waitMs: number | null
}

const timeoutMs = 30_000
// The first is too short to be worth a line: a connection that was kept open and closed by the other side at that moment.
const pausesMs = [100, 500, 1_000, 2_000, 4_000, 5_000]
const passing = new Set([408, 425, 429])

export class ApiClient {
  constructor(
    private readonly base: string,
    private readonly token: string,
    private readonly say: (line: string) => void,
    /** Ends a request or a wait at once: nothing is lost by reading less. */
    private readonly stop: AbortSignal,
    /** Where the command was told the address. */
    private readonly option = '--api',
  ) {}

  async get<T>(path: string): Promise<T> {
    const found = await this.find<T>(path)
    if (found !== null) return found
    throw this.wrongAddress(path, '404')
  }

  /** Null for what is not there. */
  async find<T>(path: string): Promise<T | null> {
    let isWaiting = false
    for (let failures = 0; ; failures++) {
      const answer = await this.ask(path)
      if ('status' in answer) {
        if (isWaiting) this.say('The service answers again.')
        return this.read(path, answer) as T | null
      }
      const waitMs = answer.waitMs ?? pausesMs[Math.min(failures, pausesMs.length - 1)]!
      if (!isWaiting && (failures > 0 || answer.waitMs !== null)) {
        isWaiting = true
        this.say(`Waiting for the service at ${this.base}: ${answer.reason}.`)
      }
      await pause(waitMs, undefined, { signal: this.stop })
    }
  }

  private async ask(path: string): Promise<Answer | Trouble> {
    const url = new URL(this.base + path)
    let answer: Answer
    try {
      answer = await withDeadline(timeoutMs, this.stop, (signal) => this.request(url, signal))
    } catch (error) {
      this.stop.throwIfAborted()
      return { reason: explainNetworkError(error as Error, url), waitMs: null }
    }
    const { status } = answer
    if (status < 500 && !passing.has(status)) return answer
    const now = new Date()
    const until = retryAfter(answer.retryAfter, now)
    return {
      reason: status === 429 ? 'this token makes too many requests' : `it answered ${status}`,
      waitMs: until && until.getTime() - now.getTime(),
    }
  }

  private async request(url: URL, signal: AbortSignal): Promise<Answer> {
    const { statusCode, headers, body } = await request(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.token}`,
        'user-agent': `link-service-listen/${version}`,
      },
      signal,
    })
    const waitFor = headers['retry-after']
    return {
      status: statusCode,
      retryAfter: typeof waitFor === 'string' ? waitFor : undefined,
      text: await body.text(),
    }
  }

  private read(path: string, { status, text }: Answer): unknown {
    const body = parse(text)
    const detail = plainLine(typeof body?.['detail'] === 'string' ? body['detail'] : '', 500)
    // Only the API itself says it in this form; a 404 of anything else means that this is not the API.
    if (status === 404 && body?.['code'] === 'not_found') return null
    if (status === 401) throw new StartupError(`The service refuses the token. ${detail}`.trim())
    if (status === 403) throw new StartupError(`The token may not do this. ${detail}`.trim())
    if (status === 400 && path.includes('after='))
      throw new StartupError(
        'The service does not know the place after --from: it is of another workspace, or of another service.',
      )
    if (status !== 200 || !body) throw this.wrongAddress(path, String(status))
    return body
  }

  private wrongAddress(path: string, answered: string): StartupError {
    return new StartupError(
      `${this.base + path.replace(/\?.*/, '')} answered ${answered}, and not as the API does. Is ${this.option} its address, such as http://localhost:3000/api?`,
    )
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
