/** Sends an event to the developer's receiver, as a delivery of a webhook would be sent. */
import { Agent, request } from 'undici'

import { headersOf } from '../../webhooks/signing.js'
import { networkReason } from '../remote/network-reason.js'

export interface ForwardedEvent {
  id: string
  type: string
  timestamp: string
  data: unknown
}

export interface ForwardOutcome {
  /** Null without an answer. Then `error` says why. */
  status: number | null
  error: string | null
  durationMs: number
}

// The default of WEBHOOK_TIMEOUT, so that a receiver which is too slow for the service is too slow here.
const timeoutMs = 15_000
const mostOfAnswer = 16 * 1024

export class Forwarder {
  // Each event gets a new connection. Receivers under development restart often, which would break kept connections.
  private readonly agent = new Agent({ pipelining: 0 })

  constructor(
    private readonly receiver: URL,
    private readonly key: Buffer,
  ) {}

  /** Never throws, unless it is told to give up. */
  async forward(event: ForwardedEvent, sequence: number, giveUp: AbortSignal): Promise<ForwardOutcome> {
    const body = JSON.stringify(event)
    const headers = headersOf({ id: event.id, body, attempt: 1, sequence }, [this.key], new Date())
    const started = performance.now()
    const outcome = (status: number | null, error: string | null): ForwardOutcome => ({
      status,
      error,
      durationMs: Math.round(performance.now() - started),
    })
    try {
      return outcome(
        await withDeadline(timeoutMs, giveUp, (signal) => this.post(headers, body, signal)),
        null,
      )
    } catch (error) {
      giveUp.throwIfAborted()
      return outcome(null, networkReason(error as Error, this.receiver))
    }
  }

  private async post(headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
    const answer = await request(this.receiver, {
      method: 'POST',
      headers,
      body,
      signal,
      dispatcher: this.agent,
    })
    let read = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > mostOfAnswer) break
    }
    return answer.statusCode
  }
}

/**
 * Runs work that is aborted by `stop`, or after `ms`. AbortSignal.any would keep memory of every request for as long as
 * `stop` lives, which is the whole run.
 */
async function withDeadline<T>(
  ms: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted()
  const own = new AbortController()
  const end = () => own.abort(stop.reason)
  const timer = setTimeout(() => own.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  stop.addEventListener('abort', end, { once: true })
  try {
    return await work(own.signal)
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
}
