import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { Layout } from './parsing/layout.js'
import type { ConflictMode } from '../link-fields.js'
import type { ImportStatus } from './states.js'

@Entity('imports')
@Index('imports_by_workspace', ['workspaceId', 'id'])
@Index('imports_unfinished', ['acceptedAt', 'id'], {
  where: `status = ANY (ARRAY['waiting'::text, 'running'::text])`,
})
export class Import {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  /** The token that asked for the import. Its links are changed in the name of this token. */
  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  @Column({ type: 'text', nullable: true })
  address!: string | null

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null

  @Column({ type: 'text' })
  status!: ImportStatus

  @Column({ type: 'jsonb' })
  layout!: Layout

  @Column({ name: 'on_conflict', type: 'text' })
  onConflict!: ConflictMode

  @Column({ name: 'dry_run', type: 'boolean' })
  dryRun!: boolean

  /** Whether events are recorded. */
  @Column({ type: 'boolean' })
  notify!: boolean

  /** The length of the body. */
  @Column({ type: 'bigint' })
  bytes!: string

  /** The place of the import: where it reads on, in which line, and whether that is the rest of a line that was cut. */
  @Column({ name: 'body_offset', type: 'bigint' })
  bodyOffset!: string

  @Column({ type: 'integer' })
  line!: number

  @Column({ name: 'is_in_long_line', type: 'boolean' })
  isInLongLine!: boolean

  @Column({ name: 'ignored_columns', type: 'text', array: true })
  ignoredColumns!: string[]

  @Column({ type: 'integer' })
  created!: number

  @Column({ type: 'integer' })
  updated!: number

  @Column({ type: 'integer' })
  skipped!: number

  @Column({ type: 'integer' })
  failed!: number

  /** How many runners claimed the import since its last step was done. */
  @Column({ type: 'integer' })
  attempts!: number

  /** The runner that may do the next step. Its lease ends at `leaseUntil`. */
  @Column({ type: 'uuid', nullable: true })
  runner!: string | null

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null

  /** Why it failed as a whole. */
  @Column({ type: 'text', nullable: true })
  error!: string | null

  /** When the last piece of the upload was stored. */
  @Column({ name: 'touched_at', type: 'timestamptz', precision: 3 })
  touchedAt!: Date

  /** When the body was complete. The imports of a workspace begin in this order. */
  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3, nullable: true })
  acceptedAt!: Date | null

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}

/** A piece of the body, all of one size but the last. */
@Entity('import_chunks')
export class ImportChunk {
  @PrimaryColumn({ name: 'import_id', type: 'uuid' })
  importId!: string

  @ManyToOne(() => Import, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'import_chunks_import_id_fkey' })
  import?: Relation<Import>

  @PrimaryColumn({ type: 'integer' })
  number!: number

  @Column({ type: 'bytea' })
  bytes!: Buffer
}

/** A line that was not imported, and why. */
@Entity('import_faults')
export class ImportFault {
  @PrimaryColumn({ name: 'import_id', type: 'uuid' })
  importId!: string

  @ManyToOne(() => Import, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'import_faults_import_id_fkey' })
  import?: Relation<Import>

  @PrimaryColumn({ type: 'integer' })
  line!: number

  @Column({ type: 'jsonb' })
  faults!: { field: string | null; code: string; detail: string }[]

  @Column({ type: 'text' })
  content!: string
}

/** A slug or external id that a line of a dry run has used, for later lines that have the same. */
@Entity('import_dry_run_keys')
export class ImportDryRunKey {
  @PrimaryColumn({ name: 'import_id', type: 'uuid' })
  importId!: string

  @ManyToOne(() => Import, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'import_dry_run_keys_import_id_fkey' })
  import?: Relation<Import>

  @PrimaryColumn({ type: 'text', collation: 'C' })
  key!: string
}
