import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import { Token } from '../auth/token.entity.js'

/** Signs in once. Whoever uses it deletes the row. */
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
