/** Receives traces over OTLP, as an OpenTelemetry collector does. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ExportedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
}

export interface TraceCollector {
  url: string
  spans: ExportedSpan[]
  /** Everything that was received. */
  text(): string
  stop(): Promise<void>
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ExportedSpan[] = []
  let text = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      text += body
      if (request.url === '/v1/traces')
        for (const { scopeSpans } of JSON.parse(body).resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans.map(toSpan))
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => text,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toSpan({ attributes = [], links = [], ...span }: any): ExportedSpan {
  const values = attributes.map(({ key, value }: any) => [key, Object.values(value)[0]])
  return { ...span, links, attributes: Object.fromEntries(values) }
}
