import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { Layout } from './parsing/layout.js'
import type { ConflictMode } from '../link-fields.js'
import type { PreviewRow } from './preview.js'

/**
 * `uploading` imports are hidden until the whole file is stored. Workers process `waiting` and `running` imports. The
 * other statuses are final.
 */
export const importStatuses = ['uploading', 'waiting', 'running', 'finished', 'canceled', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

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

  /** The token that created the import. Events and audit entries name this token as the actor. */
  @Column({ name: 'token_id', type: 'uuid' })
  tokenId!: string

  /** Tags of the token. Null if the token was not restricted to tags. */
  @Column({ name: 'restricted_tags', type: 'text', array: true, nullable: true })
  restrictedTags!: string[] | null

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

  /** Whether the imported links emit events. */
  @Column({ type: 'boolean' })
  notify!: boolean

  /** Size of the file in bytes. */
  @Column({ type: 'bigint' })
  bytes!: string

  /** Where the next step starts reading. `isInLongLine`: inside a line that was too long and is being skipped. */
  @Column({ name: 'body_offset', type: 'bigint' })
  bodyOffset!: string

  @Column({ type: 'integer' })
  line!: number

  @Column({ name: 'is_in_long_line', type: 'boolean' })
  isInLongLine!: boolean

  @Column({ name: 'ignored_columns', type: 'text', array: true })
  ignoredColumns!: string[]

  /** The first lines that a dry run accepted. Empty for other imports. */
  @Column({ type: 'jsonb' })
  preview!: PreviewRow[]

  @Column({ type: 'integer' })
  created!: number

  @Column({ type: 'integer' })
  updated!: number

  @Column({ type: 'integer' })
  skipped!: number

  @Column({ type: 'integer' })
  failed!: number

  /** Number of claims since the last completed step. */
  @Column({ type: 'integer' })
  attempts!: number

  /** The runner that holds the lease until `leaseUntil`. */
  @Column({ type: 'uuid', nullable: true })
  runner!: string | null

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null

  /** Why the import failed. */
  @Column({ type: 'text', nullable: true })
  error!: string | null

  /** When the last chunk of the upload was stored. */
  @Column({ name: 'touched_at', type: 'timestamptz', precision: 3 })
  touchedAt!: Date

  /** When the upload was complete. The imports of a workspace start in this order. */
  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3, nullable: true })
  acceptedAt!: Date | null

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null
}

/** A chunk of the file. All chunks but the last have the same size. */
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

/** A line that was not imported, with its errors. */
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

/** A slug or external ID that a line of a dry run used. Later lines with the same value conflict with that line. */
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
