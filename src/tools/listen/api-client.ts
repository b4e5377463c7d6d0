/**
 * Reads from the API. What passes by itself (a restart, a lost network, too many requests) is waited out; what does not
 * (a refused token, a missing scope, another program at the address) ends the run with a line that says what to do.
 */
import {
  ConnectionError,
  ForbiddenError,
  LinkService,
  LinkServiceError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'
import type { CallOptions, Retry } from '@link-service/client'

import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import { plainLine } from '../../platform/outbound/safe-text.js'
import { version } from '../../platform/http/version.js'
import { explainNetworkError } from './network-error.js'

type Work<T> = (client: LinkService, options: CallOptions) => Promise<T>

export class ApiClient {
  private readonly client: LinkService
  private isWaiting = false

  constructor(
    private readonly base: string,
    token: string,
    private readonly say: (line: string) => void,
    /** Ends a request or a wait at once: nothing is lost by reading less. */
    private readonly stop: AbortSignal,
    /** Where the command was told the address. */
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

  async get<T>(work: Work<T>): Promise<T> {
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

  /** Null for what is not there. */
  find<T>(work: Work<T>): Promise<T | null> {
    return this.get<T | null>(async (...given) => {
      try {
        return await work(...given)
      } catch (error) {
        // Only the API itself says it with its code; a 404 of anything else means that this is not the API.
        if (error instanceof NotFoundError) return null
        throw error
      }
    })
  }

  private sayOnce({ error, tries }: Retry): void {
    // The first is often no more than a connection that was kept open and closed by the other side at that moment.
    if (this.isWaiting || (tries === 1 && error.retryAfterMs === null)) return
    this.isWaiting = true
    this.say(`Waiting for the service at ${this.base}: ${this.reasonOf(error)}.`)
  }

  private reasonOf(error: LinkServiceError): string {
    if (error instanceof TimeoutError) return 'no answer in time'
    if (error instanceof ConnectionError) {
      const failed = error.cause as Error
      // What fetch throws says why in its cause.
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
    return new StartupError(
      `${this.base} answered ${error.status}, and not as the API does. Is ${this.option} its address, such as http://localhost:3000/api?`,
    )
  }
}
