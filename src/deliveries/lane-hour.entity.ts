import { Column, Entity, PrimaryColumn } from 'typeorm'

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
