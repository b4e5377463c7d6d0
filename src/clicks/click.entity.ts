import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import type { PartitionedTable } from '../platform/database/partitions.js'

export const clickPartitions: PartitionedTable = {
  name: 'clicks',
  days: 7,
  keep: ({ clickRetention }) => clickRetention,
}

declare module '../platform/database/ids.js' {
  interface IdPrefixes {
    clk: 'click'
  }
}

/** Partitioned by its id, which begins with the moment of the click. */
@Entity('clicks')
@Index('clicks_by_link', ['linkId', 'id'])
@Index('clicks_by_transaction', ['workspaceId', 'tx'])
@Index('clicks_by_link_transaction', ['linkId', 'tx'])
@Index('clicks_ahead', ['workspaceId'], { where: 'ahead' })
export class ClickRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string

  /** The number of the transaction that wrote it: the order of the feed. */
  @Column({ type: 'bigint' })
  tx!: string

  @Column({ type: 'text' })
  slug!: string

  @Column({ type: 'text' })
  url!: string

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date

  @Column({ type: 'boolean' })
  bot!: boolean

  @Column({ type: 'text', nullable: true })
  referrer!: string | null

  @Column({ name: 'referrer_host', type: 'text', nullable: true })
  referrerHost!: string | null

  @Column({ type: 'text', nullable: true })
  country!: string | null

  @Column({ type: 'text', nullable: true })
  browser!: string | null

  @Column({ type: 'text', nullable: true })
  os!: string | null

  @Column({ type: 'text', nullable: true })
  device!: string | null

  @Column({ type: 'text', nullable: true })
  language!: string | null

  @Column({ type: 'text', nullable: true })
  ip!: string | null

  @Column({ type: 'text', nullable: true })
  visitor!: string | null

  @Column({ type: 'text', nullable: true })
  region!: string | null

  @Column({ type: 'text', nullable: true })
  city!: string | null

  @Column({ name: 'utm_source', type: 'text', nullable: true })
  utmSource!: string | null

  @Column({ name: 'utm_medium', type: 'text', nullable: true })
  utmMedium!: string | null

  @Column({ name: 'utm_campaign', type: 'text', nullable: true })
  utmCampaign!: string | null

  @Column({ name: 'utm_term', type: 'text', nullable: true })
  utmTerm!: string | null

  @Column({ name: 'utm_content', type: 'text', nullable: true })
  utmContent!: string | null

  /** Null for a visit by the link itself. */
  @Column({ type: 'text', nullable: true })
  source!: 'qr' | null

  /** Its id carries a later moment than `occurredAt`; null otherwise. */
  @Column({ type: 'boolean', nullable: true })
  ahead!: true | null

  /** The event that it became; null where no webhook wanted it. */
  @Column({ name: 'event_id', type: 'uuid', nullable: true })
  eventId!: string | null
}

/** A click before it has been written. */
export type NewClick = Omit<ClickRow, 'tx'>
