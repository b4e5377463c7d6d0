import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { WebhookFilter } from '../events/webhook-filter.js'
import type { WebhookFormat } from './formats/webhook-formats.js'
import { Workspace } from '../workspaces/workspace.entity.js'

/** When a batch is complete: with `max` events, or when its first event has waited for `withinSeconds`. */
export interface BatchRule {
  max: number
  withinSeconds: number
}

export type WebhookStatus = 'active' | 'paused' | 'disabled'

/** Returns whether deliveries may be sent to the webhook. */
export function isActive({ status, deletedAt }: Pick<Webhook, 'status' | 'deletedAt'>): boolean {
  return status === 'active' && deletedAt === null
}

@Entity('webhooks')
@Index('webhooks_by_workspace', ['workspaceId', 'id'], { where: 'deleted_at IS NULL' })
export class Webhook {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @ManyToOne(() => Workspace)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'webhooks_workspace_id_fkey' })
  workspace?: Relation<Workspace>

  @Column({ type: 'text' })
  url!: string

  /** Event types from the catalog, or `*`. */
  @Column({ type: 'text', array: true })
  events!: string[]

  @Column({ type: 'jsonb', nullable: true })
  filter!: WebhookFilter | null

  /** Tags of the token that created the webhook. Null if the token was not restricted to tags. */
  @Column({ name: 'restricted_tags', type: 'text', array: true, nullable: true })
  restrictedTags!: string[] | null

  @Column({ type: 'text', nullable: true })
  description!: string | null

  @Column({ type: 'text' })
  status!: WebhookStatus

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null

  @Column({ name: 'max_in_flight', type: 'smallint' })
  maxInFlight!: number

  /** Whether deliveries are sent one at a time, in the order of their events. */
  @Column({ type: 'boolean', default: false })
  ordered!: boolean

  /** Null if each request has one event. */
  @Column({ type: 'jsonb', nullable: true })
  batch!: BatchRule | null

  @Column({ name: 'sealed_secret', type: 'bytea' })
  sealedSecret!: Buffer

  @Column({ name: 'secret_hint', type: 'text' })
  secretHint!: string

  /** Also signs until `oldSecretEndsAt`. */
  @Column({ name: 'sealed_old_secret', type: 'bytea', nullable: true })
  sealedOldSecret!: Buffer | null

  @Column({ name: 'old_secret_ends_at', type: 'timestamptz', precision: 3, nullable: true })
  oldSecretEndsAt!: Date | null

  @Column({ type: 'text', default: 'standard' })
  format!: WebhookFormat

  /** Names of custom headers, in lower case. Null if there are none. */
  @Column({ name: 'header_names', type: 'text', array: true, nullable: true })
  headerNames!: string[] | null

  /** Names and values of custom headers. */
  @Column({ name: 'sealed_headers', type: 'bytea', nullable: true })
  sealedHeaders!: Buffer | null

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date

  /** Deleted webhooks keep their row, because their deliveries reference it. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null
}
