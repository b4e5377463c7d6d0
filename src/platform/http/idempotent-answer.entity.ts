import { Column, Entity, Index, PrimaryColumn } from 'typeorm'

/** The first answer to a request with an Idempotency-Key, kept for 24 hours. The body may hold a new secret: it is sealed. */
@Entity('idempotent_answers')
export class IdempotentAnswer {
  /** The column has the name of the only owners there are. */
  @PrimaryColumn({ name: 'token_id', type: 'uuid' })
  owner!: string

  @PrimaryColumn({ type: 'text' })
  key!: string

  @Column({ type: 'bytea' })
  fingerprint!: Buffer

  @Column({ type: 'smallint' })
  status!: number

  @Column({ name: 'sealed_body', type: 'bytea' })
  sealedBody!: Buffer

  @Index('idempotent_answers_by_age')
  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date
}
