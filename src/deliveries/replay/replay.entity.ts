import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { EventType } from '../../events/catalogue.js'
import { Webhook } from '../../webhooks/webhook.entity.js'

export const replayed = ['failed', 'all'] as const
export type Replayed = (typeof replayed)[number]

/** A request to redeliver deliveries of a webhook, and its progress. */
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

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date

  /** Fixed at creation, so that deliveries created while the replay runs are not included. */
  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date

  @Column({ type: 'text' })
  status!: Replayed

  /** Event types to replay. Null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null

  /** ID of the last processed delivery. */
  @Column({ type: 'uuid' })
  position!: string

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}

/** A request to deliver events that a webhook never received, and its progress. */
@Entity('event_replays')
@Index('event_replays_unfinished', ['id'], { where: 'finished_at IS NULL' })
export class EventReplay {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @ManyToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'event_replays_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  /** Event types that the webhook subscribed to when the replay was created. */
  @Column({ type: 'text', array: true })
  types!: EventType[]

  /** ID of the last processed event. */
  @Column({ type: 'uuid' })
  position!: string

  /** Exclusive upper bound of event IDs. */
  @Column({ type: 'uuid' })
  until!: string

  /**
   * The transaction that created the replay. An older transaction may commit an event without a delivery for this
   * webhook later. The replay waits until all older transactions have ended, so that it includes such events.
   */
  @Column({ name: 'after_tx', type: 'bigint' })
  afterTx!: string

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}
