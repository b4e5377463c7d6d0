import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm'
import type { Relation } from 'typeorm'

import type { PortalAction } from '../auth/portal-access.js'
import { Token } from '../auth/token.entity.js'
import { dayMs } from '../platform/util/clock.js'
import { Webhook } from '../webhooks/webhook.entity.js'

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

  /** Fingerprint of the TOKEN_PEPPER of the hash. Null for rows from 0.1.0. */
  @Column({ name: 'pepper_fingerprint', type: 'text', nullable: true })
  pepperFingerprint!: string | null

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

  /** The only webhook of a portal session. Null for a session of the dashboard. */
  @Column({ name: 'webhook_id', type: 'uuid', nullable: true })
  webhookId!: string | null

  @ManyToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'dashboard_sessions_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  @Column({ type: 'text', array: true, nullable: true })
  actions!: PortalAction[] | null

  /** End of a portal session. */
  @Column({ name: 'ends_at', type: 'timestamptz', precision: 3, nullable: true })
  endsAt!: Date | null
}

/** The columns of a portal session, which are never null. */
export interface PortalSession {
  webhookId: string
  actions: PortalAction[]
  endsAt: Date
}

export function isPortalSession(session: Session): session is Session & PortalSession {
  return session.webhookId !== null
}

/** A one-time sign-in code. The row is deleted when the code is used. */
@Entity('dashboard_codes')
export class SignInCode {
  @PrimaryColumn({ type: 'bytea' })
  hash!: Buffer

  /** Fingerprint of the TOKEN_PEPPER of the hash. Null for rows from 0.1.0. */
  @Column({ name: 'pepper_fingerprint', type: 'text', nullable: true })
  pepperFingerprint!: string | null

  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @ManyToOne(() => Token)
  @JoinColumn({ name: 'token_id', foreignKeyConstraintName: 'dashboard_codes_token_id_fkey' })
  token?: Relation<Token>

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date

  /** The webhook of a portal code, which starts a portal session until `expiresAt`. */
  @Column({ name: 'webhook_id', type: 'uuid', nullable: true })
  webhookId!: string | null

  @ManyToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'dashboard_codes_webhook_id_fkey' })
  webhook?: Relation<Webhook>

  @Column({ type: 'text', array: true, nullable: true })
  actions!: PortalAction[] | null
}
