import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm'
import type { Relation } from 'typeorm'

import { Token } from '../auth/token.entity.js'

/** A session stands for a token in a browser, and may do what the token may. */
@Entity('dashboard_sessions')
@Unique('dashboard_sessions_hash_key', ['hash'])
@Index('dashboard_sessions_by_token', ['tokenId'])
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  /** The keyed hash of the cookie's value; the value itself is stored nowhere. */
  @Column({ type: 'bytea' })
  hash!: Buffer

  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'token_id', foreignKeyConstraintName: 'dashboard_sessions_token_id_fkey' })
  token?: Relation<Token>

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date

  /** The record in memory may be newer than the row until it is written (session-cache.ts). */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date
}

/** A code that signs in once, because its use deletes the row. */
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
