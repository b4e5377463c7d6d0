/** Sends requests to receivers, each in a span that continues the trace of its event. */
import { Inject, Injectable } from '@nestjs/common'

import { encodeId } from '../platform/database/ids.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { parseUrl } from '../platform/util/parse-url.js'
import type { Span } from '../platform/util/tracer.js'
import { tracer } from '../platform/util/tracing.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { addHeaders, maskEchoes } from './custom-headers.js'
import type { CustomHeaders } from './custom-headers.js'
import { createSignedHeaders } from './signing.js'
import type { SignedMessage, SignedHeaders } from './signing.js'
import type { Webhook } from './webhook.entity.js'

export interface WebhookRequest {
  webhook: Pick<Webhook, 'id' | 'url' | 'format'>
  message: SignedMessage
  keys: readonly Buffer[]
  custom: CustomHeaders
  now: Date
  /**
   * The traceparents of the events that have one. Null for a test, which belongs to the active span.
   */
  traceparents: readonly string[] | null
}

/** Returns whether the traceparents of events are needed. Reading them takes another lookup of each event. */
export function needsTraceparents({
  webhookTraceparent,
}: Pick<RunningSettings, 'webhookTraceparent'>): boolean {
  return tracer !== null || webhookTraceparent
}

@Injectable()
export class WebhookRequests {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<RunningSettings, 'webhookTraceparent'>,
    private readonly client: OutboundClient,
  ) {}

  /** Never rejects: errors are part of the outcome. Returns the headers of the service, without the custom ones. */
  async send(request: WebhookRequest): Promise<{ headers: SignedHeaders; outcome: Outcome }> {
    const span = startSpan(request)
    const headers = this.createHeaders(request, span)
    const { webhook, message, custom } = request
    const post = () =>
      this.client.send({ url: webhook.url, headers: addHeaders(headers, custom), body: message.body })
    const outcome = await (span && tracer ? tracer.runWith(span, post) : post())
    if (span) endSpan(span, outcome)
    return { headers, outcome: maskEchoes(outcome, custom) }
  }

  private createHeaders({ message, keys, now, traceparents }: WebhookRequest, span: Span | null) {
    const headers = createSignedHeaders(message, keys, now)
    if (!this.settings.webhookTraceparent) return headers
    // Without traces in this process, the receiver continues the trace of the only event.
    const only = traceparents?.length === 1 ? traceparents[0] : undefined
    const traceparent = span && tracer ? tracer.getTraceparent(span) : only
    return traceparent === undefined ? headers : { ...headers, traceparent }
  }
}

function startSpan({ webhook, message, traceparents }: WebhookRequest): Span | null {
  if (!tracer) return null
  const attributes = {
    'http.request.method': 'POST',
    ...describeUrl(webhook),
    'http.request.resend_count': message.attempt - 1,
    'link_service.webhook_id': encodeId('wh', webhook.id),
    'link_service.message_id': message.id,
    ...(message.sequence !== null && { 'link_service.sequence': message.sequence }),
  }
  const spec = { name: 'send delivery', kind: 'CLIENT', attributes } as const
  if (traceparents === null) return tracer.startSpan(spec)
  // The events of a batch belong to different traces, so the request has a trace of its own.
  return traceparents.length === 1
    ? tracer.startSpan({ ...spec, parent: traceparents[0]! })
    : tracer.startSpan({ ...spec, parent: null, links: traceparents })
}

/** Omits the query and the credentials. The path of a Slack or Discord URL is a secret too. */
function describeUrl({ url, format }: WebhookRequest['webhook']): Record<string, string | number> {
  const parsed = parseUrl(url)
  if (!parsed) return {}
  const { origin, pathname, hostname, port, protocol } = parsed
  return {
    'url.full': format === 'standard' ? origin + pathname : `${origin}/`,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}

function endSpan(span: Span, { statusCode, error }: Outcome): void {
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode)
  if (error !== null) tracer?.markFailed(span, error.class)
  span.end()
}
