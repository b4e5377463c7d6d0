/** Live clicks over server-sent events. When a stream ends, the next one continues after the last click. */
import type { FollowedRow } from './follow.js'
import type { CallOptions } from './options.js'
import { pause } from './retry.js'
import type { Transport } from './transport.js'
import type { Click, QueryOf } from './types.js'

export interface LiveOptions extends CallOptions {
  /** The cursor of the last handled row. Without it, the stream starts with new clicks. */
  after?: string | undefined
  /** Reconnects after this time without data; 45 seconds by default. The service sends a comment every 15 seconds. */
  silenceMs?: number | undefined
}

interface ServerEvent {
  id: string
  data: string
}

const defaultSilenceMs = 45_000
/** The delay before reconnecting, which prevents a busy loop. */
const pauseMs = 500

/** Yields clicks until the signal aborts. After the first connection, temporary failures are retried forever. */
export async function* live(
  api: Transport,
  query: QueryOf<'followLiveClicks'> = {},
  { after, silenceMs = defaultSilenceMs, signal, ...options }: LiveOptions = {},
): AsyncGenerator<FollowedRow<Click>, void, undefined> {
  let retries = options
  try {
    // Needed to resume if the first stream breaks before its first click.
    let cursor = after ?? (await newestCursor(api, query.link_id, { ...options, signal }))
    for (;;) {
      const input = { query, headers: { 'last-event-id': cursor } }
      const stream = await api.download('followLiveClicks', input, ['text/event-stream'], {
        ...retries,
        signal,
      })
      retries = { ...options, maxRetries: Infinity }
      for await (const { id, data } of readEvents(stream, silenceMs)) {
        if (signal?.aborted) return
        yield { item: JSON.parse(data) as Click, cursor: id }
        cursor = id
      }
      await pause(pauseMs, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

async function newestCursor(api: Transport, link_id: unknown, options: CallOptions): Promise<string> {
  const query = { link_id, after: 'latest' }
  return (await api.call('listClicks', { query }, options)).next_cursor!
}

/** Yields the complete events of one stream, and ends on a failure. The next stream delivers the remaining events. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const bytes = await readWithin(reader, silenceMs)
      if (bytes === null) return
      const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [id, data] = [parseField(block, 'id'), parseField(block, 'data')]
        if (id !== undefined && data !== undefined) yield { id, data }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns null at the end of the stream, after `silenceMs` without data, or if the connection breaks. */
async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): Promise<Uint8Array | null> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs)
  try {
    return (await reader.read()).value ?? null
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

function parseField(block: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
}
