import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { EventType } from '../../events/catalog.js'
import { Webhook } from '../../webhooks/webhook.entity.js'

export const replaySources = ['deliveries', 'events'] as const
export type ReplaySource = (typeof replaySources)[number]

export const replayed = ['failed', 'all'] as const
export type Replayed = (typeof replayed)[number]

/** A request to resend deliveries of a webhook, or to send events that it never received, and its progress. */
@Entity('replays')
@Index('replays_unfinished', ['id'], { where: 'finished_at IS NULL' })
export class Replay {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @ManyToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'replays_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  @Column({ type: 'text' })
  source!: ReplaySource

  /** Which deliveries to resend. Null for events, which have no status. */
  @Column({ type: 'text', nullable: true })
  status!: Replayed | null

  /** Event types to send. Null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: EventType[] | null

  /** Whether to send what the filter of the webhook excludes. */
  @Column({ name: 'ignore_filter', type: 'boolean', default: false })
  ignoreFilter!: boolean

  /** ID of the last processed delivery or event. */
  @Column({ type: 'uuid' })
  position!: string

  /** Exclusive upper bound of IDs. Fixed at creation, to exclude later deliveries and events. */
  @Column({ type: 'uuid' })
  until!: string

  /**
   * The transaction that created a replay of events; null for deliveries. An older transaction may commit an event
   * without a delivery for this webhook later. The replay waits until all older transactions have ended, so that it
   * includes such events.
   */
  @Column({ name: 'after_tx', type: 'bigint', nullable: true })
  afterTx!: string | null

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}
