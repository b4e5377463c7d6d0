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
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'

import { StartupError } from '../../platform/config/startup-error.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { version } from '../../platform/util/version.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { notTheApi, reasonOfNoAnswer, tokenRefused } from '../failed-calls.js'

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
    if (error instanceof ConnectionError) return reasonOfNoAnswer(error, new URL(this.base))
    return error.status === 429 ? 'this token makes too many requests' : `it answered ${error.status}`
  }

  private explain(error: LinkServiceError): StartupError {
    const isOfApi = error.code !== 'unexpected_answer'
    const detail = isOfApi ? plainLine(error.message, 500) : ''
    if (error instanceof UnauthorizedError) return new StartupError(tokenRefused(detail))
    if (error instanceof ForbiddenError)
      return new StartupError(`The token may not do this. ${detail}`.trim())
    if (error instanceof ValidationError && isOfApi)
      return new UsageError(
        'The service does not know the place after --from: it is of another workspace, or of another service.',
      )
    return new StartupError(notTheApi(this.base, error.status, this.option))
  }
}
