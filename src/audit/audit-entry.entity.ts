import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

import type { PartitionedTable } from '../platform/database/partitions.js'

export const auditPartitions: PartitionedTable = { name: 'audit_log', days: 30 }

/** Append-only: the service never changes or deletes entries. */
@Entity('audit_log')
@Index('audit_log_by_workspace', ['workspaceId', 'id'])
@Index('audit_log_by_object', ['objectId', 'id'])
@Index('audit_log_by_action', ['workspaceId', 'action', 'id'])
@Index('audit_log_by_actor', ['workspaceId', 'actorTokenId', 'id'])
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ type: 'text' })
  action!: AuditAction

  /** Null for actions of the command line and of the service itself. */
  @Column({ name: 'actor_token_id', type: 'uuid', nullable: true })
  actorTokenId!: string | null

  @Column({ name: 'object_type', type: 'text' })
  objectType!: AuditedType

  @Column({ name: 'object_id', type: 'uuid', nullable: true })
  objectId!: string | null

  @Column({ type: 'text', nullable: true })
  address!: string | null

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null

  @Column({ type: 'jsonb' })
  details!: AuditDetails

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt!: Date
}

export const auditActions = [
  'token.created',
  'token.rotated',
  'token.revoked',
  'token.refused',
  'link.created',
  'link.updated',
  'link.deleted',
  'session.created',
  'session.refused',
  'session.ended',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.portal_link_created',
  'webhook.delivery_skipped',
  'notice_target.created',
  'notice_target.changed',
  'notice_target.deleted',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Types of audited objects, with their ID prefixes. */
export const auditedTypes = {
  token: 'tok',
  session: 'ses',
  link: 'lnk',
  webhook: 'wh',
  notice_target: 'ntt',
} as const
export type AuditedType = keyof typeof auditedTypes

/** Actions that the service performs automatically. */
export const automaticActions: ReadonlySet<AuditAction> = new Set(['webhook.disabled'])

/** Must not contain secrets. */
export type AuditDetails = Record<string, string | readonly string[] | null>
