import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import { keepEvents } from '../events/event.entity.js'
import type { PartitionedTable } from '../platform/database/partitions.js'
import type { EventType } from '../events/catalog.js'
import type { ErrorClass } from '../platform/outbound/outcome.js'

/** The stored status. A pending delivery shows as held while its webhook is not active. */
export type StoredStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** Due deliveries with a lower number are sent first. */
export const priorities = { retry: 0, first: 1, replay: 2 } as const

export const deliveryPartitions: PartitionedTable = {
  name: 'deliveries',
  days: 7,
  fill: 50,
  keep: keepEvents,
}

/** The delivery of an event to a webhook, with all its attempts. */
@Entity('deliveries')
@Index('deliveries_due', ['webhookId', 'priority', 'nextAttemptAt', 'id'], { where: "status = 'pending'" })
@Index('deliveries_unusual', ['webhookId', 'status', 'id'], { where: "status <> 'succeeded'" })
@Index('deliveries_by_type', ['webhookId', 'eventType', 'id'])
@Index('deliveries_by_event', ['eventId'])
@Index('deliveries_tried', ['webhookId', 'id'], { where: 'attempt_count > 0' })
@Index('deliveries_by_error', ['webhookId', 'lastErrorClass', 'id'], {
  where: 'last_error_class IS NOT NULL',
})
export class Delivery {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'event_id', type: 'uuid' })
  eventId!: string

  @Column({ name: 'event_type', type: 'text' })
  eventType!: EventType

  @Column({ type: 'text' })
  status!: StoredStatus

  @Column({ type: 'smallint' })
  priority!: number

  /** Assigned at the first claim. Null for tests, which have no place in the delivery order. */
  @Column({ type: 'bigint', nullable: true })
  sequence!: string | null

  @Column({ name: 'attempt_count', type: 'integer', default: 0 })
  attemptCount!: number

  /** The batch that contains the delivery. Null if it is sent alone, or waits for its batch to be filled. */
  @Column({ name: 'batch_id', type: 'uuid', nullable: true })
  batchId!: string | null

  /** Number of attempts before the current schedule. More than 0 after a redelivery. */
  @Column({ name: 'schedule_start', type: 'integer', default: 0 })
  scheduleStart!: number

  @Column({ name: 'next_attempt_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt!: Date | null

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null

  /** Why the delivery was canceled. */
  @Column({ name: 'end_reason', type: 'text', nullable: true })
  endReason!: string | null

  @Column({ type: 'boolean', default: false })
  test!: boolean

  /** The error class of the last attempt. Null if it succeeded, or if there is none. */
  @Column({ name: 'last_error_class', type: 'text', nullable: true })
  lastErrorClass!: ErrorClass | null
}
