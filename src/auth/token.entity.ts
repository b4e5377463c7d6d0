import { Column, Entity, Index, ManyToOne, JoinColumn, PrimaryColumn, Unique } from 'typeorm'
import type { Relation } from 'typeorm'

import { currentMs } from '../platform/util/clock.js'
import { Workspace } from '../workspaces/workspace.entity.js'
import type { Restrictions } from './restrictions.js'
import type { Scope } from './scopes.js'

@Entity('tokens')
@Unique('tokens_hash_key', ['hash'])
@Index('tokens_by_workspace', ['workspaceId', 'id'])
@Index('tokens_by_creator', ['createdBy'])
@Index('tokens_active', ['workspaceId', 'expiresAt'], { where: 'revoked_at IS NULL' })
@Index('tokens_by_expiry', ['expiresAt'], { where: 'revoked_at IS NULL' })
export class Token {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @ManyToOne(() => Workspace)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'tokens_workspace_id_fkey' })
  workspace?: Relation<Workspace>

  @Column({ type: 'text' })
  name!: string

  @Column({ type: 'text', array: true })
  scopes!: Scope[]

  /** Keyed hash of the value. The value itself is not stored. */
  @Column({ type: 'bytea' })
  hash!: Buffer

  /** Fingerprint of the TOKEN_PEPPER of the hash. Null for rows from 0.1.0. */
  @Column({ name: 'pepper_fingerprint', type: 'text', nullable: true })
  pepperFingerprint!: string | null

  @Column({ type: 'text' })
  prefix!: string

  @Column({ type: 'text' })
  last4!: string

  /** The token that created this one. Null for tokens from the command line. */
  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy!: string | null

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'tokens_created_by_fkey' })
  creator?: Relation<Token>

  @Column({ name: 'rotated_from', type: 'uuid', nullable: true })
  rotatedFrom!: string | null

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'rotated_from', foreignKeyConstraintName: 'tokens_rotated_from_fkey' })
  predecessor?: Relation<Token>

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null

  /** Number of days before the expiry for which `token.expiring` was last recorded. Null if it was not. */
  @Column({ name: 'expiry_reported_days', type: 'smallint', nullable: true })
  expiryReportedDays!: number | null

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null

  /** Scopes used so far. A cached token may have more until they are written (token-cache.ts). */
  @Column({ name: 'used_scopes', type: 'text', array: true, default: '{}' })
  usedScopes!: Scope[]

  /** Never changed. Null if the token has none. */
  @Column({ type: 'jsonb', nullable: true })
  restrictions!: Restrictions | null
}

/** A token with the number of active tokens that it created. */
export type CountedToken = Token & { minted: number }

export type TokenStatus = 'active' | 'expired' | 'revoked'

export function getTokenStatus({ revokedAt, expiresAt }: Token): TokenStatus {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= currentMs() ? 'expired' : 'active'
}
