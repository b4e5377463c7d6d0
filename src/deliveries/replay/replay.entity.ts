import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { EventType } from '../../events/catalogue.js'
import { Webhook } from '../../webhooks/webhook.entity.js'

export const replayed = ['failed', 'all'] as const
export type Replayed = (typeof replayed)[number]

/** Deliveries of one webhook that are to be sent again, and how far that has come. */
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

  /** Fixed when the replay is created, so that deliveries that are made while it runs are not sent again. */
  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date

  @Column({ type: 'text' })
  status!: Replayed

  /** The types of events to replay; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null

  /** The replay is done up to and including this id of a delivery. */
  @Column({ type: 'uuid' })
  position!: string

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}

/** Events that one webhook never had and is to be sent, and how far that has come. */
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

  /** Types of events that the webhook subscribed to when the replay was created. */
  @Column({ type: 'text', array: true })
  types!: EventType[]

  /** The replay is done up to and including this id of an event. */
  @Column({ type: 'uuid' })
  position!: string

  /** The first id of an event that no longer belongs to the replay. */
  @Column({ type: 'uuid' })
  until!: string

  /**
   * The transaction that created the replay. An older one may still record an event without a delivery for this
   * webhook, and the event is visible only after its commit. The replay waits until all older ones have ended, or it
   * would miss the event.
   */
  @Column({ name: 'after_tx', type: 'bigint' })
  afterTx!: string

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}
