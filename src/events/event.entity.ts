import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import type { EventType } from './catalogue.js'

declare module '../platform/database/ids.js' {
  interface IdPrefixes {
    evt: 'event'
  }
}

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
