import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'

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

/**
 * Partitioned by its id, which begins with the moment of the click. Installations that are older than the compact form have
 * the id alone as the key.
 */
@Entity('clicks')
@Index('clicks_by_id', { synchronize: false })
@Index('clicks_by_transaction', ['workspaceId', 'tx'])
@Index('clicks_by_link_transaction', ['linkId', 'tx'])
@Index('clicks_ahead', ['workspaceId'], { where: 'ahead' })
export class StoredClick {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'clicks_by_link' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @PrimaryColumn({ name: 'link_id', type: 'uuid', primaryKeyConstraintName: 'clicks_by_link' })
  linkId!: string

  /** The number of the transaction that wrote it: the order of the feed. */
  @Column({ type: 'bigint' })
  tx!: string

  /** Null, like the address, where it is in the target. */
  @Column({ type: 'text', nullable: true })
  slug!: string | null

  @Column({ type: 'text', nullable: true })
  url!: string | null

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date

  @Column({ type: 'boolean' })
  bot!: boolean

  /** What follows the host, where it is `https://`, the host, and more. */
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

  /** What its link led to, in `click_targets`; null where the click has that itself. */
  @Column({ name: 'target_id', type: 'integer', nullable: true })
  targetId!: number | null
}

/** A click as it is read: in whole. */
export interface ClickRow extends Omit<StoredClick, 'slug' | 'url' | 'targetId'> {
  slug: string
  url: string
}

/** A click before it has been written. */
export type NewClick = Omit<ClickRow, 'tx'>

/** What a link led to at some time. Its clicks refer to it, also after the link was changed or deleted. */
@Entity('click_targets')
@Index('click_targets_key', { synchronize: false })
export class ClickTarget {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number

  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string

  @Column({ type: 'text' })
  slug!: string

  @Column({ type: 'text' })
  url!: string
}

/** One row. Clicks are written in the compact form only where no process runs that cannot read it. */
@Entity('click_form')
export class ClickForm {
  @PrimaryColumn({ name: 'is_compact', type: 'boolean' })
  isCompact!: boolean
}
