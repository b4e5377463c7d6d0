/** Sends an event to the receiver in the same way as a delivery to a webhook. */
import { Agent, request } from 'undici'

import { createSignedHeaders } from '../../webhooks/signing.js'
import { networkReason } from '../remote/connection.js'

export interface ForwardedEvent {
  id: string
  type: string
  timestamp: string
  data: unknown
}

export interface ForwardOutcome {
  /** Null without a response. `error` then has the reason. */
  status: number | null
  error: string | null
  durationMs: number
}

// The default of WEBHOOK_TIMEOUT.
const timeoutMs = 15_000
const maxResponseBytes = 16 * 1024

export class Forwarder {
  // Opens a connection for each event, because receivers under development restart often.
  private readonly agent = new Agent({ pipelining: 0 })

  constructor(
    private readonly receiver: URL,
    private readonly key: Buffer,
  ) {}

  /** Sends an event. Throws only if `abandon` is aborted. */
  async forward(event: ForwardedEvent, sequence: number, abandon: AbortSignal): Promise<ForwardOutcome> {
    const body = JSON.stringify(event)
    const headers = createSignedHeaders({ id: event.id, body, attempt: 1, sequence }, [this.key], new Date())
    const started = performance.now()
    const outcome = (status: number | null, error: string | null): ForwardOutcome => ({
      status,
      error,
      durationMs: Math.round(performance.now() - started),
    })
    try {
      return outcome(
        await withTimeoutOrAbort(timeoutMs, abandon, (signal) => this.post(headers, body, signal)),
        null,
      )
    } catch (error) {
      abandon.throwIfAborted()
      return outcome(null, networkReason(error as Error, this.receiver))
    }
  }

  private async post(headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
    const response = await request(this.receiver, {
      method: 'POST',
      headers,
      body,
      signal,
      dispatcher: this.agent,
    })
    let read = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > maxResponseBytes) break
    }
    return response.statusCode
  }
}

/**
 * Runs work with a signal that is aborted by `stop` or after `ms`. `AbortSignal.any` would leak memory for each
 * request, because `stop` lives as long as the process.
 */
async function withTimeoutOrAbort<T>(
  ms: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(stop.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms)
  stop.addEventListener('abort', abort, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', abort)
  }
}
