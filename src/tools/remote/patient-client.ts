/**
 * Calls of a command that runs for long. Temporary failures (a restart, a lost network, too many requests) are announced
 * once and waited out. Permanent ones (a rejected token, a missing scope, another program at the URL) end the command.
 */
import { ConnectionError, LinkServiceError, NotFoundError } from '@link-service/client'
import type { CallOptions, LinkService, Retry } from '@link-service/client'

import { connect, explain } from './connection.js'
import type { ApiAccess } from './connection.js'
import { networkReason } from './network-reason.js'

type ApiCall<T> = (client: LinkService, options: CallOptions) => Promise<T>

export class PatientClient {
  private readonly client: LinkService
  private isWaiting = false

  constructor(
    access: ApiAccess,
    private readonly say: (line: string) => void,
    /** Ends a call or a wait at once. */
    private readonly stop: AbortSignal,
  ) {
    this.client = connect(access, { maxRetries: Infinity, onRetry: (retry) => this.sayOnce(retry) })
  }

  async call<T>(work: ApiCall<T>): Promise<T> {
    try {
      const found = await work(this.client, { signal: this.stop })
      if (this.isWaiting) this.say('The service responds again.')
      this.isWaiting = false
      return found
    } catch (error) {
      this.stop.throwIfAborted()
      throw error instanceof LinkServiceError
        ? explain(error, this.client.baseUrl, { after: '--from' })
        : error
    }
  }

  /** Resolves with null for something that does not exist. */
  find<T>(work: ApiCall<T>): Promise<T | null> {
    return this.call<T | null>(async (...given) => {
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
    this.say(`Waiting for the service at ${this.client.baseUrl}: ${this.reasonOf(error)}.`)
  }

  private reasonOf(error: LinkServiceError): string {
    if (error instanceof ConnectionError) return networkReason(error, new URL(this.client.baseUrl))
    return error.status === 429 ? 'this token makes too many requests' : `it answered ${error.status}`
  }
}
