import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { count, enumSchema, openEnumSchema } from '../platform/http/openapi/api-docs.js'
import { IsFeedCursor, IsOneOf, IsText, Optional, Rule, unknownWords } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { catalog, eventTypes } from './catalog.js'
import type { EventType } from './catalog.js'
import { exampleEvent, payloads } from './payloads.js'
import type { Event } from './payloads.js'
import { deliveryStatuses } from './ports.js'
import type { DeliverySummary } from './ports.js'
import type { EventRow } from './event.entity.js'

const example = exampleEvent('link.updated')
const exampleDelivery = {
  id: 'dlv_01kaj4d0r2f5w8z1b4d7g0j3mq',
  webhook_id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  status: 'pending',
  attempt_count: 1,
  next_attempt_at: '2026-01-31T10:00:05.000Z',
  completed_at: null,
}

/** For every field that contains the status of a delivery. */
export const deliveryStatusEnum = enumSchema(
  'DeliveryStatus',
  '`pending`: waiting to be sent or retried. `held`: waiting until the webhook is active. `succeeded`: the receiver responded with 2xx. `failed`: no attempts are left. `canceled`: the delivery was skipped, its webhook was deleted, or it waited for longer than events are kept.',
  deliveryStatuses,
)

/** For every field that contains an event type. */
export const eventTypeEnum = openEnumSchema('EventType', 'Type of an event.', eventTypes)

export function IsEventType(): PropertyDecorator {
  return IsOneOf('unknown_event', eventTypes)
}

export function IsEventTypeList(): PropertyDecorator {
  const types: readonly unknown[] = eventTypes
  return Rule(
    'unknown_event',
    (value) => `${unknownWords(value, eventTypes)}Must be a list of one or more of ${eventTypes.join(', ')}.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= 100 &&
      value.every((name) => types.includes(name)),
    { minItems: 1, maxItems: 100 },
  )
}

export class ListEventsQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...eventTypeEnum, description: 'Returns only events of this type.' })
  @Optional()
  @IsEventType()
  type?: EventType

  @ApiPropertyOptional({ description: 'Returns only events of this link, including its clicks.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string

  @ApiPropertyOptional({
    description:
      'Returns events oldest first, in the order they were recorded. The `next_cursor` of an earlier page continues after that page, an empty value starts at the oldest event, and `latest` returns an empty page whose `next_cursor` is the end of the feed. Cannot be combined with `cursor`.',
  })
  @Optional()
  @IsFeedCursor()
  after?: string
}

/** A plain object, because clients of many generators cannot read a union, or reject its future types. */
@ApiSchema({
  name: 'Event',
  description:
    'An event. `type` determines the fields of `data`: for `link.created`, the schema `LinkCreatedEvent` describes the whole event.',
})
export class EventDto {
  /** An event never changes. The status of its deliveries is not part of its version. */
  static readonly versionedBy: readonly string[] = ['id']

  @ApiProperty({ description: 'ID of the event, the same for every attempt.', example: example.id })
  id!: string

  @ApiProperty({ ...eventTypeEnum, description: 'Type of the event.', example: example.type })
  type!: EventType

  @ApiProperty({ format: 'date-time', description: 'Time of the event.', example: example.timestamp })
  timestamp!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Data of the event. `GET /v1/event-types` returns the schema for each type.',
    example: example.data,
  })
  data!: object

  static from(row: Pick<EventRow, 'body'>): EventDto {
    return Object.assign(new EventDto(), JSON.parse(row.body) as Event)
  }
}

@ApiSchema({ name: 'DeliverySummary', description: 'Delivery of an event to a webhook.' })
export class DeliverySummaryDto {
  @ApiProperty({ description: 'ID of the delivery.', example: exampleDelivery.id })
  id!: string

  @ApiProperty({ description: 'ID of the webhook.', example: exampleDelivery.webhook_id })
  webhook_id!: string

  @ApiProperty({
    ...deliveryStatusEnum,
    description: 'Status of the delivery.',
    example: exampleDelivery.status,
  })
  status!: DeliverySummary['status']

  @ApiProperty({ ...count, description: 'Number of attempts so far.', example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'Time of the next attempt. Null if the delivery is completed, or held until the webhook is active.',
    example: exampleDelivery.next_attempt_at,
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time the delivery succeeded, failed or was canceled. Null until then.',
    example: null,
  })
  completed_at!: string | null

  static from(delivery: DeliverySummary): DeliverySummaryDto {
    return Object.assign(new DeliverySummaryDto(), {
      id: encodeId('dlv', delivery.id),
      webhook_id: encodeId('wh', delivery.webhookId),
      status: delivery.status,
      attempt_count: delivery.attemptCount,
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      completed_at: delivery.completedAt?.toISOString() ?? null,
    })
  }
}

@ApiSchema({ name: 'EventWithDeliveries', description: 'An event and its deliveries.' })
export class EventWithDeliveriesDto extends EventDto {
  @ApiProperty({
    type: DeliverySummaryDto,
    isArray: true,
    description: 'Deliveries of the event: one per webhook, and one more per replay.',
    example: [exampleDelivery],
  })
  deliveries!: DeliverySummaryDto[]

  static withDeliveries(row: Pick<EventRow, 'body'>, deliveries: DeliverySummary[]): EventWithDeliveriesDto {
    return Object.assign(new EventWithDeliveriesDto(), EventDto.from(row), {
      deliveries: deliveries.map((delivery) => DeliverySummaryDto.from(delivery)),
    })
  }
}

@ApiSchema({ name: 'EventTypeInfo', description: 'An event type, with its meaning and schema.' })
export class EventTypeDto {
  @ApiProperty({ ...eventTypeEnum, description: 'Name of the event type.', example: 'link.updated' })
  name!: EventType

  @ApiProperty({ description: 'When the event occurs.', example: catalog['link.updated'].meaning })
  meaning!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (2020-12) of `data`. New fields may be added, so ignore unknown fields.',
    example: { type: 'object', properties: {} },
  })
  schema!: object

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Complete event of this type, as sent to webhooks.',
    example,
  })
  example!: object

  static from(name: EventType): EventTypeDto {
    const { meaning } = catalog[name]
    const { schema } = payloads[name]
    return Object.assign(new EventTypeDto(), {
      name,
      meaning,
      schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
      example: exampleEvent(name),
    })
  }
}
