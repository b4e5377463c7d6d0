/** A receiver of several webhooks that verifies each request when it arrives, and checks what arrived. */
import type { ServerResponse } from 'node:http'

import { Webhook as Verifier } from 'standardwebhooks'

import { findSequenceFaults, parseReceivedEvents } from '../received-events.js'
import type { ReceivedEvent } from '../received-events.js'
import { startReceiver } from '../receiver.js'
import type { Received, Receiver } from '../receiver.js'

export interface HookOptions {
  /** The fields of the webhook, without the URL. */
  fields: Record<string, unknown>
  /** The receiver rejects one of `every` requests with this status. */
  rejection?: { status: number; every: number }
}

const shownFaults = 5
const rejectsTime = /^Message timestamp too (?:new|old)$/

export class WebhookLog {
  private readonly verifiers = new Map<string, Verifier>()
  private readonly forged: string[] = []

  private constructor(
    /** The webhooks, by their path at the receiver. */
    readonly hooks: Readonly<Record<string, HookOptions>>,
    readonly receiver: Receiver,
    private readonly hasWrongClocks: boolean,
  ) {}

  /** `hasWrongClocks`: a request that was signed with a wrong clock is rejected like any failure, and must be retried. */
  static async start(
    hooks: Readonly<Record<string, HookOptions>>,
    { hasWrongClocks = false } = {},
  ): Promise<WebhookLog> {
    const log: WebhookLog = new WebhookLog(
      hooks,
      await startReceiver((request, response) => log.respond(request, response)),
      hasWrongClocks,
    )
    return log
  }

  get paths(): string[] {
    return Object.keys(this.hooks)
  }

  getUrl(path: string): string {
    return this.receiver.origin + path
  }

  /** Verifies the requests to this path from now on. */
  verifyWith(path: string, secret: string): void {
    this.verifiers.set(path, new Verifier(secret))
  }

  /** Returns the events that a webhook received, in order of arrival. A retry is listed again. */
  eventsAt(path: string): ReceivedEvent[] {
    return this.receiver.requestsTo(path).flatMap(parseReceivedEvents)
  }

  /** Describes requests that are forged, repeated with changes or out of sequence. */
  faults(): string[] {
    return [...this.forged.slice(0, shownFaults), ...this.paths.flatMap((path) => this.faultsAt(path))]
  }

  stop(): Promise<void> {
    return this.receiver.stop()
  }

  private respond(request: Received, response: ServerResponse): void {
    try {
      const verifier = this.verifiers.get(request.path)
      if (!verifier) throw new Error('no webhook has this path')
      verifier.verify(request.body, request.headers as Record<string, string>)
    } catch (error) {
      const { message } = error as Error
      if (this.hasWrongClocks && rejectsTime.test(message)) return void response.writeHead(401).end()
      this.forged.push(`${request.path} received ${request.body.slice(0, 200)}: ${message}`)
    }
    const rejection = this.hooks[request.path]?.rejection
    const isRejected = rejection && Math.random() < 1 / rejection.every
    response.writeHead(isRejected ? rejection.status : 200).end()
  }

  private faultsAt(path: string): string[] {
    const isOrdered = this.hooks[path]?.fields['ordered'] === true
    return findSequenceFaults(path, this.receiver.requestsTo(path), { isOrdered })
  }
}
