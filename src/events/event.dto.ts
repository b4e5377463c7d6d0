import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { encodeId } from '../platform/database/ids.js'
import { IsFeedCursor, IsText, Optional } from '../platform/http/fields.js'
import { CreatedQuery, PageQuery } from '../platform/http/page.js'
import { catalogue, eventTypes } from './catalogue.js'
import type { EventType } from './catalogue.js'
import type { DeliveryInShort } from './deliveries-of-event.js'
import type { EventRow } from './event.entity.js'
import { exampleEvent } from './example-event.js'
import type { Event } from './example-event.js'

const example = exampleEvent('link.updated')
const exampleDelivery = {
  id: 'dlv_01kaj4d0r2f5w8z1b4d7g0j3mq',
  webhook_id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  status: 'pending',
  attempt_count: 1,
  next_attempt_at: '2026-01-31T10:00:05.000Z',
  completed_at: null,
}

export class ListEventsQuery extends CreatedQuery {
  @ApiPropertyOptional({ enum: eventTypes, description: 'Only this type.', example: 'link.created' })
  @Optional()
  @IsIn(eventTypes, { message: `Write one of ${eventTypes.join(', ')}.` })
  type?: EventType

  @ApiPropertyOptional({
    description: 'Only events of this link, its clicks among them.',
    example: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  @Optional()
  @IsText(1, 100)
  link_id?: string

  @ApiPropertyOptional({
    description:
      'Reads oldest first, in the order in which events were recorded: empty begins at the oldest, the `next_cursor` of an answer goes on after it, and `latest` begins at the end: nothing yet, and a cursor to go on from. Not together with `cursor`.',
    example: '',
  })
  @Optional()
  @IsFeedCursor()
  after?: string
}

export class ListEventTypesQuery extends PageQuery {}

export class EventDto {
  /** An event never changes; what becomes of its deliveries is not part of it. */
  static readonly versionedBy: readonly string[] = ['id']

  @ApiProperty({ example: example.id })
  id!: string

  @ApiProperty({ enum: eventTypes, example: example.type })
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

export class DeliveryInShortDto {
  @ApiProperty({ example: exampleDelivery.id })
  id!: string

  @ApiProperty({ example: exampleDelivery.webhook_id })
  webhook_id!: string

  @ApiProperty({
    enum: ['pending', 'held', 'succeeded', 'failed', 'canceled'],
    description:
      '`held` while its webhook is not active; `canceled` when the webhook was deleted before it was sent.',
    example: exampleDelivery.status,
  })
  status!: DeliveryInShort['status']

  @ApiProperty({ type: 'integer', example: 1 })
  attempt_count!: number

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Null when nothing more is to be sent, or not before the webhook is active again.',
    example: exampleDelivery.next_attempt_at,
  })
  next_attempt_at!: string | null

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
  completed_at!: string | null

  static from(delivery: DeliveryInShort): DeliveryInShortDto {
    return Object.assign(new DeliveryInShortDto(), {
      id: encodeId('dlv', delivery.id),
      webhook_id: encodeId('wh', delivery.webhookId),
      status: delivery.status,
      attempt_count: delivery.attemptCount,
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      completed_at: delivery.completedAt?.toISOString() ?? null,
    })
  }
}

export class EventWithDeliveriesDto extends EventDto {
  @ApiProperty({
    type: DeliveryInShortDto,
    isArray: true,
    description: 'One for each webhook that it goes to, and one more for each replay.',
    example: [exampleDelivery],
  })
  deliveries!: DeliveryInShortDto[]

  static of(row: Pick<EventRow, 'body'>, deliveries: DeliveryInShort[]): EventWithDeliveriesDto {
    return Object.assign(new EventWithDeliveriesDto(), EventDto.from(row), {
      deliveries: deliveries.map((delivery) => DeliveryInShortDto.from(delivery)),
    })
  }
}

export class EventTypeDto {
  @ApiProperty({ enum: eventTypes, example: 'link.updated' })
  name!: EventType

  @ApiProperty({ example: catalogue['link.updated'].meaning })
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
    const { meaning, schema } = catalogue[name]
    return Object.assign(new EventTypeDto(), {
      name,
      meaning,
      schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
      example: exampleEvent(name),
    })
  }
}
