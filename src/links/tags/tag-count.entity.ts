/** How many links have a tag: what was added up, and what came since. The number is the sum over both tables. */
import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'

@Entity('tag_counts')
export class TagCount {
  @PrimaryColumn({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @PrimaryColumn({ type: 'text', collation: 'C' })
  tag!: string

  @Column({ type: 'bigint' })
  links!: string
}

/** What a statement that wrote links did to the number of a tag. The triggers that keep `link_tags` write it. */
@Entity('tag_changes')
export class TagChange {
  @PrimaryColumn({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string

  @Column({ type: 'text', collation: 'C' })
  tag!: string

  @Column({ type: 'bigint' })
  links!: string
}
