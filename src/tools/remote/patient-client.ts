/**
 * Calls the API for long-running commands. Retries temporary failures, such as a restart of the service, and prints a
 * notice once. Permanent failures, such as a rejected token, end the command.
 */
import { ConnectionError, LinkServiceError, NotFoundError } from '@link-service/client'
import type { CallOptions, LinkService, Retry } from '@link-service/client'

import type { ApiAccess } from './api-access.js'
import { connect, explain, networkReason } from './connection.js'
import type { OptionNames } from './connection.js'

type ApiCall<T> = (client: LinkService, options: CallOptions) => Promise<T>

export class PatientClient {
  private readonly client: LinkService
  private isWaiting = false

  constructor(
    access: ApiAccess,
    private readonly notify: (line: string) => void,
    /** Aborts requests and waits. */
    private readonly stop: AbortSignal,
    private readonly names: OptionNames = { after: '--from' },
  ) {
    this.client = connect(access, { maxRetries: Infinity, onRetry: (retry) => this.notifyOnce(retry) })
  }

  async call<T>(work: ApiCall<T>): Promise<T> {
    try {
      const found = await work(this.client, { signal: this.stop })
      if (this.isWaiting) this.notify('The service responds again.')
      this.isWaiting = false
      return found
    } catch (error) {
      this.stop.throwIfAborted()
      throw error instanceof LinkServiceError ? explain(error, this.client.baseUrl, this.names) : error
    }
  }

  /** Returns null if the resource does not exist. */
  find<T>(work: ApiCall<T>): Promise<T | null> {
    return this.call<T | null>(async (client, options) => {
      try {
        return await work(client, options)
      } catch (error) {
        // The client throws `NotFoundError` only for a 404 response of the API itself.
        if (error instanceof NotFoundError) return null
        throw error
      }
    })
  }

  private notifyOnce({ error, tries }: Retry): void {
    // The first failure is often a kept-alive connection that the server has just closed.
    if (this.isWaiting || (tries === 1 && error.retryAfterMs === null)) return
    this.isWaiting = true
    this.notify(`Waiting for the service at ${this.client.baseUrl}: ${this.describeWaitReason(error)}.`)
  }

  private describeWaitReason(error: LinkServiceError): string {
    if (error instanceof ConnectionError) return networkReason(error, new URL(this.client.baseUrl))
    return error.status === 429 ? 'this token makes too many requests' : `it responded with ${error.status}`
  }
}
