import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import type { RunningSettings } from '../settings.js'
import type { PartitionedTable } from '../platform/database/partitions.js'
import type { EventType } from './catalogue.js'

const weekSeconds = 7 * 86_400

/** Events are kept a week longer than promised, so that deliveries that still wait are canceled and counted first. */
export function keepEvents({ eventRetention }: RunningSettings): number {
  return eventRetention + weekSeconds
}

/** Events from before this are not promised any more. */
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

  /** The transaction that recorded it: the first part of its place in the feed. */
  @Column({ type: 'bigint' })
  tx!: string

  @Column({ type: 'text' })
  type!: EventType

  @Column({ name: 'link_id', type: 'uuid', nullable: true })
  linkId!: string | null

  /** The whole event as JSON: the very bytes that are sent. */
  @Column({ type: 'text' })
  body!: string
}
