import { Column, Entity, PrimaryColumn } from 'typeorm'

@Entity('visitor_salts')
export class VisitorSalt {
  @PrimaryColumn({ type: 'date' })
  day!: string

  @Column({ type: 'bytea' })
  salt!: Buffer
}
