import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm'
import type { Relation } from 'typeorm'

import { Token } from '../auth/token.entity.js'
import { dayMs } from '../platform/util/days.js'

/** A session ends after this time without requests. */
export const sessionIdleMs = 12 * 3_600_000
/** Maximum lifetime of a session. */
export const sessionLifeMs = 7 * dayMs
/** Lifetime of a sign-in code. */
export const codeLifeMs = 10 * 60_000

/** A browser session of a token, with the token's scopes. */
@Entity('dashboard_sessions')
@Unique('dashboard_sessions_hash_key', ['hash'])
@Index('dashboard_sessions_by_token', ['tokenId'])
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  /** Keyed hash of the cookie value. The value is not stored. */
  @Column({ type: 'bytea' })
  hash!: Buffer

  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'token_id', foreignKeyConstraintName: 'dashboard_sessions_token_id_fkey' })
  token?: Relation<Token>

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date

  /** Written with a delay: the value in memory may be newer (session-cache.ts). */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date
}

/** A one-time sign-in code. The row is deleted when the code is used. */
@Entity('dashboard_codes')
export class SignInCode {
  @PrimaryColumn({ type: 'bytea' })
  hash!: Buffer

  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'token_id', foreignKeyConstraintName: 'dashboard_codes_token_id_fkey' })
  token?: Relation<Token>

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date
}
