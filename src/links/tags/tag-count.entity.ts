/** How many links have a tag: the sum of its count, which was added up earlier, and of its changes since. */
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

/** How one statement changed the number of links with a tag. The triggers that maintain `link_tags` write it. */
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
