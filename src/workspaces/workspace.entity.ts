import { Column, Entity, PrimaryColumn, Unique } from 'typeorm'

@Entity('workspaces')
@Unique('workspaces_name_key', ['name'])
export class Workspace {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ type: 'text' })
  name!: string

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date
}
