import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'

import type { PartitionedTable } from '../platform/database/partitions.js'

export const clickPartitions: PartitionedTable = {
  name: 'clicks',
  days: 7,
  keep: ({ clickRetention }) => clickRetention,
}

export const devices = ['desktop', 'mobile', 'tablet', 'bot', 'other'] as const
export type Device = (typeof devices)[number]

/** Partitioned by its ID, which begins with the time of the click. */
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

  /** Null, as `url` is, when the click has a target: then the target's row has both. */
  @Column({ type: 'text', nullable: true })
  slug!: string | null

  @Column({ type: 'text', nullable: true })
  url!: string | null

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date

  @Column({ type: 'boolean' })
  bot!: boolean

  /** A referrer that begins with `https://`, its host and a slash is stored from that slash on. */
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

  /** True when the id carries a later moment than `occurredAt`, because a clock ran ahead. Null otherwise. */
  @Column({ type: 'boolean', nullable: true })
  ahead!: true | null

  /** The event of this click. Null when no webhook wanted it. */
  @Column({ name: 'event_id', type: 'uuid', nullable: true })
  eventId!: string | null

  /** The row of `click_targets` with the slug and the address. Null when the click itself has them. */
  @Column({ name: 'target_id', type: 'integer', nullable: true })
  targetId!: number | null
}

/** A click as it is read, with its complete values. */
export interface ClickRow extends Omit<StoredClick, 'slug' | 'url' | 'targetId'> {
  slug: string
  url: string
}

/** A click before it has been written. */
export type NewClick = Omit<ClickRow, 'tx'>

/** A target that a link had at some time. Clicks refer to it even after the link was changed or deleted. */
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
