/**
 * Reads from the API. Temporary failures (a restart, a lost network, too many requests) are waited out. Permanent ones
 * (a refused token, a missing scope, another program at the address) end the run with a line that says what to do.
 */
import {
  type CallOptions,
  ConnectionError,
  ForbiddenError,
  LinkService,
  LinkServiceError,
  NotFoundError,
  type Retry,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'

import { StartupError } from '../../platform/config/startup-error.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { version } from '../../platform/util/version.js'
import { plainLine } from '../../platform/outbound/outcome.js'

type ApiWork<T> = (client: LinkService, options: CallOptions) => Promise<T>

export class ApiClient {
  private readonly client: LinkService
  private isWaiting = false

  constructor(
    private readonly base: string,
    token: string,
    private readonly say: (line: string) => void,
    /** Ends a request or a wait at once. A read that is given up loses nothing. */
    private readonly stop: AbortSignal,
    /** The option that has given the address, for messages. */
    private readonly option = '--api',
  ) {
    this.client = new LinkService({
      baseUrl: base,
      token,
      userAgent: `link-service-listen/${version}`,
      maxRetries: Infinity,
      onRetry: (retry) => this.sayOnce(retry),
    })
  }

  async get<T>(work: ApiWork<T>): Promise<T> {
    try {
      const found = await work(this.client, { signal: this.stop })
      if (this.isWaiting) this.say('The service answers again.')
      this.isWaiting = false
      return found
    } catch (error) {
      this.stop.throwIfAborted()
      throw error instanceof LinkServiceError ? this.explain(error) : error
    }
  }

  /** Resolves with null for something that does not exist. */
  find<T>(work: ApiWork<T>): Promise<T | null> {
    return this.get<T | null>(async (...given) => {
      try {
        return await work(...given)
      } catch (error) {
        // Only the API answers 404 with a code of its own. Any other 404 means that this is not the API.
        if (error instanceof NotFoundError) return null
        throw error
      }
    })
  }

  private sayOnce({ error, tries }: Retry): void {
    // The first failure is often only a kept connection that the other side has just closed.
    if (this.isWaiting || (tries === 1 && error.retryAfterMs === null)) return
    this.isWaiting = true
    this.say(`Waiting for the service at ${this.base}: ${this.reasonOf(error)}.`)
  }

  private reasonOf(error: LinkServiceError): string {
    if (error instanceof TimeoutError) return 'no answer in time'
    if (error instanceof ConnectionError) {
      const failed = error.cause as Error
      // The error of `fetch` has the reason in its cause.
      return explainNetworkError(failed.cause instanceof Error ? failed.cause : failed, new URL(this.base))
    }
    return error.status === 429 ? 'this token makes too many requests' : `it answered ${error.status}`
  }

  private explain(error: LinkServiceError): StartupError {
    const isOfApi = error.code !== 'unexpected_answer'
    const detail = isOfApi ? plainLine(error.message, 500) : ''
    if (error instanceof UnauthorizedError)
      return new StartupError(`The service refuses the token. ${detail}`.trim())
    if (error instanceof ForbiddenError)
      return new StartupError(`The token may not do this. ${detail}`.trim())
    if (error instanceof ValidationError && isOfApi)
      return new UsageError(
        'The service does not know the place after --from: it is of another workspace, or of another service.',
      )
    return new StartupError(notTheApi(this.base, error.status, this.option))
  }
}

export const exampleAddress = 'http://localhost:3000/api'

/** Says that something else than the API answered. `option` is what gave the address. */
export function notTheApi(url: string, status: number | null, option: string): string {
  return `${url} answered ${status}, and not as the API does. Is ${option} its address, such as ${exampleAddress}?`
}

/** Why a request got no answer, in words for the person at the terminal. */
const sentences: Record<string, (url: URL) => string> = {
  ECONNREFUSED: (url) => `nothing listens on ${url.host}`,
  ENOTFOUND: (url) => `there is no host ${url.hostname}`,
  EAI_AGAIN: (url) => `the name ${url.hostname} could not be looked up`,
  EHOSTUNREACH: (url) => `there is no way to ${url.hostname}`,
  ENETUNREACH: (url) => `there is no way to ${url.hostname}`,
  ECONNRESET: () => 'the connection was closed before the answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => 'the connection was closed before the answer',
  EPIPE: () => 'the connection was closed before the answer',
  UND_ERR_SOCKET: () => 'the connection was closed before the answer',
  ETIMEDOUT: () => 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: () => 'no answer in time',
  TimeoutError: () => 'no answer in time',
  HTTPParserError: () => 'the answer is not HTTP',
}

export function explainNetworkError(error: Error, url: URL): string {
  const { code = '' } = error as NodeJS.ErrnoException
  const sentence = sentences[code] ?? sentences[error.name]
  if (sentence) return sentence(url)
  if (/CERT|SELF_SIGNED|ISSUER/.test(code))
    return `the certificate of ${url.host} is not trusted (${code}); NODE_EXTRA_CA_CERTS names a file of more authorities`
  if (/SSL|TLS|EPROTO/.test(code)) return `no secure connection to ${url.host} (${code})`
  return `no answer (${code || error.name})`
}
