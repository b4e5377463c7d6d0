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
