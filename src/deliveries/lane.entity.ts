import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import { Webhook } from '../webhooks/webhook.entity.js'

/** The state of sending to one webhook. While a living worker holds the lane, only that worker sends. */
@Entity('lanes')
@Index('lanes_by_holder', ['holder'], { where: 'holder IS NOT NULL' })
@Index('lanes_failing', ['failingSince'], { where: 'failing_since IS NOT NULL' })
export class Lane {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @OneToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'lanes_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  @Column({ type: 'uuid', nullable: true })
  holder!: string | null

  /** Another worker found something due, or has handed the lane over. The holder looks before it gives its lease back. */
  @Column({ type: 'boolean', default: false })
  woken!: boolean

  @Column({ name: 'last_sequence', type: 'bigint', default: 0 })
  lastSequence!: string

  /** The receiver asked for a pause until this time (Retry-After). */
  @Column({ name: 'paused_until', type: 'timestamptz', precision: 3, nullable: true })
  pausedUntil!: Date | null

  @Column({ name: 'failures_in_a_row', type: 'integer', default: 0 })
  failuresInARow!: number

  /** The time of the next probe. Null while the circuit is closed. */
  @Column({ name: 'probe_at', type: 'timestamptz', precision: 3, nullable: true })
  probeAt!: Date | null

  /** All deliveries that were created, apart from tests and from those that `uncounted_deliveries` still has. */
  @Column({ type: 'bigint', default: 0 })
  emitted!: string

  @Column({ type: 'bigint', default: 0 })
  succeeded!: string

  @Column({ type: 'bigint', default: 0 })
  failed!: string

  @Column({ type: 'bigint', default: 0 })
  canceled!: string

  @Column({ type: 'bigint', default: 0 })
  attempts!: string

  @Column({ name: 'last_success_at', type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessAt!: Date | null

  /** When the webhook last got another address or became active again. Earlier successes do not make it proven. */
  @Column({ name: 'resumed_at', type: 'timestamptz', precision: 3, nullable: true })
  resumedAt!: Date | null

  /** The first failure after the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null

  @Column({ name: 'last_failure_at', type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null

  @Column({ name: 'failures_since', type: 'integer', default: 0 })
  failuresSince!: number

  /** When `webhook.failing` was sent. */
  @Column({ name: 'warned_at', type: 'timestamptz', precision: 3, nullable: true })
  warnedAt!: Date | null
}

/** How many attempts a webhook had in one hour. */
@Entity('lane_hours')
export class LaneHour {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour!: Date

  @Column({ type: 'integer' })
  attempts!: number

  @Column({ type: 'integer' })
  successes!: number
}
