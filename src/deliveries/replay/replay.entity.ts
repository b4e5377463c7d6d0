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

  /** Fixed when it is asked for, so that what it makes happen is not replayed by it again. */
  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date

  @Column({ type: 'text' })
  status!: Replayed

  /** Null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null

  /** The delivery up to which it is done. */
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

  /** As the webhook subscribed to them when it was asked for. */
  @Column({ type: 'text', array: true })
  types!: EventType[]

  /** The event up to which it is done. */
  @Column({ type: 'uuid' })
  position!: string

  /** The first id that no longer belongs to it. */
  @Column({ type: 'uuid' })
  until!: string

  /**
   * The transaction that asked for it. What older ones record may have been decided before the webhook wanted it, and
   * shows only once they have ended: until then the replay waits, or it could pass such an event by.
   */
  @Column({ name: 'after_tx', type: 'bigint' })
  afterTx!: string

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}
