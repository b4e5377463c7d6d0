import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumOf } from '../platform/http/openapi/api-docs.js'
import { IsFeedCursor, IsOneOf, IsText, Optional, Rule, unknownWords } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { catalogue, eventTypes } from './catalogue.js'
import type { EventType } from './catalogue.js'
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

/** For every field that holds the status of a delivery. */
export const deliveryStatusEnum = enumOf(
  'DeliveryStatus',
  '`pending`: will be sent, or sent again. `held`: will be sent once the webhook is active again. `succeeded`: was answered 2xx. `failed`: the schedule has ended. `canceled`: its webhook was deleted, or it waited longer than events are kept.',
  deliveryStatuses,
)

/** For every field that holds a type of event. */
export const eventTypeEnum = enumOf('EventType', 'What can happen. More may be added.', eventTypes)

export function IsEventType(): PropertyDecorator {
  return IsOneOf('unknown_event', eventTypes)
}

export function IsEventTypeList(): PropertyDecorator {
  const known: readonly unknown[] = eventTypes
  return Rule(
    'unknown_event',
    (value) => `${unknownWords(value, eventTypes)}Write a list of one or more of ${eventTypes.join(', ')}.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= 100 &&
      value.every((name) => known.includes(name)),
    { minItems: 1, maxItems: 100 },
  )
}

export class ListEventsQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...eventTypeEnum, description: 'Only this type.' })
  @Optional()
  @IsEventType()
  type?: EventType

  @ApiPropertyOptional({ description: 'Only events of this link, by its id; its clicks are among them.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string

  @ApiPropertyOptional({
    description:
      'Reads oldest first, in the order in which events were recorded: empty begins at the oldest, the `next_cursor` of an answer goes on after it, and `latest` begins at the end: nothing yet, and a cursor to go on from. Not together with `cursor`.',
  })
  @Optional()
  @IsFeedCursor()
  after?: string
}

/** The OpenAPI document has the union of all types in place of this schema. */
@ApiSchema({ name: 'Event' })
export class EventDto {
  /** An event never changes; what becomes of its deliveries is not part of it. */
  static readonly versionedBy: readonly string[] = ['id']

  @ApiProperty({ example: example.id })
  id!: string

  @ApiProperty({ ...eventTypeEnum, example: example.type })
  type!: EventType

  @ApiProperty({ format: 'date-time', description: 'When it happened.', example: example.timestamp })
  timestamp!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What happened, as the schema of its type in `GET /v1/event-types` says.',
    example: example.data,
  })
  data!: object

  static from(row: Pick<EventRow, 'body'>): EventDto {
    return Object.assign(new EventDto(), JSON.parse(row.body) as Event)
  }
}

@ApiSchema({ name: 'DeliverySummary', description: 'How the sending of an event to a webhook stands.' })
export class DeliverySummaryDto {
  @ApiProperty({ description: 'Its id.', example: exampleDelivery.id })
  id!: string

  @ApiProperty({ description: 'The webhook that it goes to.', example: exampleDelivery.webhook_id })
  webhook_id!: string

  @ApiProperty({
    ...deliveryStatusEnum,
    description: 'How it stands.',
    example: exampleDelivery.status,
  })
  status!: DeliverySummary['status']

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How often it was tried.', example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Null when nothing more is to be sent, or not before the webhook is active again.',
    example: exampleDelivery.next_attempt_at,
  })
  next_attempt_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When it succeeded, failed for good or was canceled; null before.',
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

@ApiSchema({ name: 'EventWithDeliveries' })
export class EventWithDeliveriesDto extends EventDto {
  @ApiProperty({
    type: DeliverySummaryDto,
    isArray: true,
    description: 'One for each webhook that it goes to, and one more for each replay.',
    example: [exampleDelivery],
  })
  deliveries!: DeliverySummaryDto[]

  static of(row: Pick<EventRow, 'body'>, deliveries: DeliverySummary[]): EventWithDeliveriesDto {
    return Object.assign(new EventWithDeliveriesDto(), EventDto.from(row), {
      deliveries: deliveries.map((delivery) => DeliverySummaryDto.from(delivery)),
    })
  }
}

@ApiSchema({ name: 'EventTypeInfo', description: 'A type of event: what it means and what it carries.' })
export class EventTypeDto {
  @ApiProperty({ ...eventTypeEnum, description: 'Its name.', example: 'link.updated' })
  name!: EventType

  @ApiProperty({ description: 'When it happens.', example: catalogue['link.updated'].meaning })
  meaning!: string

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The JSON Schema (2020-12) of `data`. Fields may be added to it, so allow for unknown ones.',
    example: { type: 'object', properties: {} },
  })
  schema!: object

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'A whole event of this type, as it is sent.',
    example,
  })
  example!: object

  static of(name: EventType): EventTypeDto {
    const { meaning } = catalogue[name]
    const { schema } = payloads[name]
    return Object.assign(new EventTypeDto(), {
      name,
      meaning,
      schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
      example: exampleEvent(name),
    })
  }
}
