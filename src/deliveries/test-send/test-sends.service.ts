/**
 * Sends tests from the process that received the call, outside the queue and the delivery order. `webhook.test` is
 * recorded as an event before it is sent, so receivers see no event that the feed lacks. Examples of other types are
 * not recorded, because consumers of the feed would take them for real events.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import type { EventType } from '../../events/catalog.js'
import { eventRow } from '../../events/event-recorder.js'
import type { NewEvent } from '../../events/event-recorder.js'
import { EventDto } from '../../events/event.dto.js'
import { EventsRepository } from '../../events/events.repository.js'
import { payloads } from '../../events/payloads.js'
import { encodeId, newId } from '../../platform/database/ids.js'
import { currentTime } from '../../platform/util/clock.js'
import { parseUrl } from '../../platform/util/parse-url.js'
import { batchBody } from '../../webhooks/batch-body.js'
import { maskHeaders } from '../../webhooks/custom-headers.js'
import { formatBody } from '../../webhooks/formats/webhook-formats.js'
import { WebhookCredentials } from '../../webhooks/webhook-credentials.js'
import { WebhookRequests } from '../../webhooks/webhook-requests.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { createAttempt } from '../attempt.entity.js'
import type { Attempt } from '../attempt.entity.js'
import { Delivery, priorities } from '../delivery.entity.js'
import { AttemptDto } from '../reading/attempt.dto.js'
import { DeliveriesRepository } from '../reading/deliveries.repository.js'
import type { CreateTestSend, TestSendDto } from './test-send.dto.js'
import { createVerdict } from './verdict.js'

type EventToSend = ReturnType<typeof eventRow>

@Injectable()
export class TestSendsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly credentials: WebhookCredentials,
    private readonly events: EventsRepository,
    private readonly requests: WebhookRequests,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async sendTest(caller: Caller, id: string, body: CreateTestSend): Promise<TestSendDto> {
    const webhook = await this.webhooks.get(caller, id)
    const now = currentTime()
    const { keys, custom } = this.credentials.open(webhook, now)
    const event = createExampleEvent(webhook, body.event ?? 'webhook.test')
    if (event.type === 'webhook.test')
      await this.dataSource.transaction((tx) => this.events.insertEvents(tx, [event]))
    const message = { ...createMessage(webhook, event), attempt: 1, sequence: null }
    // The normalized form is the one that is sent. Other clients may encode the URL differently.
    const url = parseUrl(webhook.url)!.href
    const customNames = [...custom.keys()]
    const delivery = createTestDelivery(webhook, event)
    const sent = {
      webhook: { id: webhook.id, format: webhook.format, url },
      message,
      keys,
      custom,
      now,
      traceparents: null,
    }
    const { headers, outcome } = await this.requests.send(sent)
    const isBatch = webhook.batch !== null
    const attempt = createAttempt(delivery.id, 1, { headers, customNames, isBatch, outcome })
    const shown = { url, headers: { ...headers, ...maskHeaders(customNames) }, body: message.body }
    await this.dataSource.transaction((tx) =>
      this.deliveries.insertTest(tx, completeDelivery(delivery, attempt), attempt),
    )
    return {
      delivered: outcome.error === null,
      verdict: createVerdict(outcome, url, webhook.format),
      event: EventDto.from(event),
      request: { method: 'POST', ...shown, curl: toCurlCommand(shown) },
      attempt: AttemptDto.fromAttempt(attempt, delivery),
    }
  }
}

/** A webhook with batches receives a batch of one event. */
function createMessage({ batch, format }: Webhook, { id, body }: EventToSend) {
  if (batch === null) return { id: encodeId('evt', id), body: formatBody(format, body) }
  const batchId = newId()
  return { id: encodeId('bat', batchId), body: batchBody(batchId, [{ body, sequence: null }]) }
}

function createExampleEvent(webhook: Webhook, type: EventType): EventToSend {
  const { example } = payloads[type]
  const data = type === 'webhook.test' ? { ...example, webhook_id: encodeId('wh', webhook.id) } : example
  return eventRow({ type, data, workspaceId: webhook.workspaceId, linkId: null } as NewEvent)
}

function createTestDelivery(webhook: Webhook, event: EventToSend): Delivery {
  return Object.assign(new Delivery(), {
    webhookId: webhook.id,
    id: newId(),
    eventId: event.id,
    eventType: event.type,
    priority: priorities.first,
    sequence: null,
    attemptCount: 1,
    scheduleStart: 0,
    nextAttemptAt: null,
    endReason: null,
    test: true,
  })
}

function completeDelivery(delivery: Delivery, { startedAt, durationMs, errorClass }: Attempt): Delivery {
  delivery.status = errorClass === null ? 'succeeded' : 'failed'
  delivery.lastErrorClass = errorClass
  delivery.completedAt = new Date(startedAt.getTime() + durationMs)
  return delivery
}

interface CurlRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Returns a POSIX shell command that resends the request byte for byte. */
export function toCurlCommand({ url, headers, body }: CurlRequest): string {
  return [
    // Without --globoff, curl expands brackets and braces in a URL.
    'curl --globoff -X POST',
    quoteShell(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    `--data-binary ${quoteShell(body)}`,
  ].join(' ')
}

/** Quotes text for a shell: between single quotes, only the single quote is special. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
