import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import type { RunningSettings } from '../settings.js'
import type { PartitionedTable } from '../platform/database/partitions.js'
import type { EventType } from './catalog.js'

const weekSeconds = 7 * 86_400

/** Returns how long to keep events: a week more than EVENT_RETENTION, so that pending deliveries are canceled first. */
export function keepEvents({ eventRetention }: RunningSettings): number {
  return eventRetention + weekSeconds
}

/** Returns the time before which events are past EVENT_RETENTION and may be deleted. */
export function oldestKeptEvent({ eventRetention }: RunningSettings, now: Date): Date {
  return new Date(now.getTime() - eventRetention * 1000)
}

export const eventPartitions: PartitionedTable = { name: 'events', days: 7, keep: keepEvents }

@Entity('events')
@Index('events_by_workspace', ['workspaceId', 'id'])
@Index('events_by_type', ['workspaceId', 'type', 'id'])
@Index('events_by_link', ['linkId', 'id'], { where: 'link_id IS NOT NULL' })
@Index('events_feed', ['workspaceId', 'tx', 'id'])
@Index('events_feed_by_type', ['workspaceId', 'type', 'tx', 'id'])
@Index('events_feed_by_link', ['linkId', 'tx', 'id'], { where: 'link_id IS NOT NULL' })
export class EventRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  /** ID of the transaction that recorded the event. Feeds are ordered by (tx, id). */
  @Column({ type: 'bigint' })
  tx!: string

  @Column({ type: 'text' })
  type!: EventType

  @Column({ name: 'link_id', type: 'uuid', nullable: true })
  linkId!: string | null

  /** The event as JSON, byte for byte as it is sent. */
  @Column({ type: 'text' })
  body!: string

  /** The traceparent of the request that caused the event. Null if traces were off. */
  @Column({ type: 'text', nullable: true })
  traceparent!: string | null
}
