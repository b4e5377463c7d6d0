/** Sends requests to a receiver: signed like deliveries, or with one deliberate fault. */
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { Agent, request } from 'undici'

import { encodeId, newId } from '../../platform/database/ids.js'
import { currentTime } from '../../platform/util/clock.js'
import { exampleEvent } from '../../events/payloads.js'
import { batchBody } from '../../webhooks/batch-body.js'
import { createSignedHeaders } from '../../webhooks/signing.js'
import { networkReason } from '../remote/connection.js'

/** What the receiver did. `status` is null without a response, and `error` then has the reason. */
export interface Reaction {
  status: number | null
  error: string | null
  durationMs: number
}

/** An event, or a batch of events. */
export interface Message {
  id: string
  sequence: number
  body: string
}

export interface SendOptions {
  keys?: readonly Buffer[]
  /** Time in `webhook-timestamp`, which the signature includes. */
  at?: Date
  attempt?: number
  /** Changes the headers after signing. A null removes a header. */
  headers?: Readonly<Record<string, string | null>>
  /** Replaces the body after signing. */
  body?: string
  /** Sends the body in this many pieces, with a pause between them. */
  pieces?: number
}

// The default of WEBHOOK_TIMEOUT.
const timeoutMs = 15_000
const maxResponseBytes = 16 * 1024
const pauseBetweenPiecesMs = 300

export class ReceiverProbe {
  private sequence = 0
  private readonly agent: Agent

  constructor(
    private readonly url: URL,
    address: string,
    readonly key: Buffer,
  ) {
    // Connects to the address that was checked, whatever the name resolves to later.
    const family = address.includes(':') ? 6 : 4
    this.agent = new Agent({
      pipelining: 0,
      connect: {
        lookup: (_host, { all }, done) =>
          all ? done(null, [{ address, family }]) : done(null, address, family),
      },
    })
  }

  /** Returns a new event: the example of `link.created` with these fields changed. */
  createEvent(changes: Readonly<Record<string, unknown>> = {}): Message {
    const id = encodeId('evt', newId())
    const event = { ...exampleEvent('link.created'), id, timestamp: currentTime().toISOString(), ...changes }
    return { id, sequence: ++this.sequence, body: JSON.stringify(event) }
  }

  createBatch(events: readonly Message[]): Message {
    const id = newId()
    return { id: encodeId('bat', id), sequence: events[0]!.sequence, body: batchBody(id, events) }
  }

  async send(message: Message, options: SendOptions = {}): Promise<Reaction> {
    const { keys = [this.key], at = currentTime(), attempt = 1 } = options
    const signed: Record<string, string | null> = {
      ...createSignedHeaders({ ...message, attempt }, keys, at),
      ...options.headers,
    }
    const headers = Object.fromEntries(
      Object.entries(signed).filter((entry): entry is [string, string] => entry[1] !== null),
    )
    const started = performance.now()
    const reaction = (status: number | null, error: string | null): Reaction => ({
      status,
      error,
      durationMs: Math.round(performance.now() - started),
    })
    try {
      return reaction(await this.post(headers, options.body ?? message.body, options.pieces ?? 1), null)
    } catch (error) {
      return reaction(null, networkReason(error as Error, this.url))
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy()
  }

  private async post(headers: Record<string, string>, text: string, pieces: number): Promise<number> {
    const bytes = Buffer.from(text)
    const { statusCode, body } = await request(this.url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.length) },
      body: pieces === 1 ? bytes : Readable.from(inPieces(bytes, pieces)),
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher: this.agent,
    })
    let read = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > maxResponseBytes) break
    }
    return statusCode
  }
}

async function* inPieces(bytes: Buffer, pieces: number): AsyncGenerator<Buffer> {
  const length = Math.ceil(bytes.length / pieces)
  for (let start = 0; start < bytes.length; start += length) {
    if (start > 0) await pause(pauseBetweenPiecesMs)
    yield bytes.subarray(start, start + length)
  }
}
