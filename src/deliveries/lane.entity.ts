import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import { Webhook } from '../webhooks/webhook.entity.js'
import type { LastError } from '../webhooks/webhook-lanes.js'

/** The delivery state of a webhook. While a live worker holds the lane, only that worker sends. */
@Entity('lanes')
@Index('lanes_by_holder', ['holder'], { where: 'holder IS NOT NULL' })
@Index('lanes_failing', ['failingSince'], { where: 'failing_since IS NOT NULL' })
@Index('lanes_recovered', ['recoveredAt'], { where: 'recovered_at IS NOT NULL' })
export class Lane {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid' })
  webhookId!: string

  @OneToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'lanes_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  @Column({ type: 'uuid', nullable: true })
  holder!: string | null

  /** True if another worker found due deliveries or handed the lane over. The holder then checks before a release. */
  @Column({ type: 'boolean', default: false })
  woken!: boolean

  @Column({ name: 'last_sequence', type: 'bigint', default: 0 })
  lastSequence!: string

  /** End of the pause that the receiver requested with Retry-After. */
  @Column({ name: 'paused_until', type: 'timestamptz', precision: 3, nullable: true })
  pausedUntil!: Date | null

  @Column({ name: 'failures_in_a_row', type: 'integer', default: 0 })
  failuresInARow!: number

  /** The time of the next probe. Null while the circuit is closed. */
  @Column({ name: 'probe_at', type: 'timestamptz', precision: 3, nullable: true })
  probeAt!: Date | null

  /** Number of deliveries created, without tests and without those in `uncounted_deliveries`. */
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

  /** Time the URL last changed or the webhook was resumed. Earlier successes do not make the receiver proven. */
  @Column({ name: 'resumed_at', type: 'timestamptz', precision: 3, nullable: true })
  resumedAt!: Date | null

  /** Time of the first failure after the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null

  @Column({ name: 'last_failure_at', type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null

  @Column({ name: 'failures_since', type: 'integer', default: 0 })
  failuresSince!: number

  /** Time the event `webhook.failing` was recorded. */
  @Column({ name: 'warned_at', type: 'timestamptz', precision: 3, nullable: true })
  warnedAt!: Date | null

  /** Time `webhook.failing` or `webhook.disabled` was recorded. Null after `webhook.recovered`. */
  @Column({ name: 'reported_at', type: 'timestamptz', precision: 3, nullable: true })
  reportedAt!: Date | null

  /** Time of the first success after `reportedAt`. Null once `webhook.recovered` is recorded. */
  @Column({ name: 'recovered_at', type: 'timestamptz', precision: 3, nullable: true })
  recoveredAt!: Date | null

  /** The last failed attempt. Kept after a success. */
  @Column({ name: 'last_error', type: 'jsonb', nullable: true })
  lastError!: LastError | null
}

/** Attempts of a webhook in one hour. */
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
