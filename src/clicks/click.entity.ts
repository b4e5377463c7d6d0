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

  /** ID of the transaction that wrote the click. Orders the feed. */
  @Column({ type: 'bigint' })
  tx!: string

  /** Null, like `url`, if `target_id` is set: the row in `click_targets` has both. */
  @Column({ type: 'text', nullable: true })
  slug!: string | null

  @Column({ type: 'text', nullable: true })
  url!: string | null

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date

  @Column({ type: 'boolean' })
  bot!: boolean

  /** If the referrer starts with `https://<referrer_host>/`, only the path is stored, from that slash on. */
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

  /** Null for a visit through the link itself. */
  @Column({ type: 'text', nullable: true })
  source!: 'qr' | null

  /** True if the time in the ID is later than `occurredAt`, because a clock ran ahead. Otherwise null. */
  @Column({ type: 'boolean', nullable: true })
  ahead!: true | null

  /** ID of the click's event. Null if no webhook wanted the click. */
  @Column({ name: 'event_id', type: 'uuid', nullable: true })
  eventId!: string | null

  /** Row of `click_targets` with the slug and the URL. Null if the click's own row has them. */
  @Column({ name: 'target_id', type: 'integer', nullable: true })
  targetId!: number | null
}

/** A click read from the database, with the slug and URL of its target. */
export interface ClickRow extends Omit<StoredClick, 'slug' | 'url' | 'targetId'> {
  slug: string
  url: string
}

/** A click that is not in the database yet. */
export interface NewClick extends Omit<ClickRow, 'tx'> {
  /** The traceparent of the redirect. Null while traces are off. */
  traceparent: string | null
}

/** A current or former slug and URL of a link. Clicks refer to it even after the link was changed or deleted. */
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

/** The salt of the visitor IDs of one UTC day. Deleted after the day has ended. */
@Entity('visitor_salts')
export class VisitorSalt {
  @PrimaryColumn({ type: 'date' })
  day!: string

  @Column({ type: 'bytea' })
  salt!: Buffer
}
