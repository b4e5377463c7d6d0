/** The targets of a workspace, and the unsent notices of each target. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import type { NoticeAddress, NoticeType } from '../platform/config/notice-setting.js'
import { Workspace } from '../workspaces/workspace.entity.js'

@Entity('notice_targets')
@Index('notice_targets_by_workspace', ['workspaceId', 'id'])
export class NoticeTarget {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @ManyToOne(() => Workspace)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'notice_targets_workspace_id_fkey' })
  workspace?: Relation<Workspace>

  @Column({ type: 'text' })
  type!: NoticeAddress['type']

  /** The URL or the email address, encrypted. */
  @Column({ name: 'sealed_address', type: 'bytea' })
  sealedAddress!: Buffer

  @Column({ name: 'address_hint', type: 'text' })
  addressHint!: string

  @Column({ type: 'text', array: true })
  events!: NoticeType[]
}

/** An event that no group contains yet. */
@Entity('pending_notices')
export class PendingNotice {
  @PrimaryColumn({ name: 'event_id', type: 'uuid' })
  eventId!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ type: 'text' })
  type!: NoticeType
}

/** The unsent events of a type for one target, which are sent in one message. */
@Entity('notice_groups')
@Index('notice_groups_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('notice_groups_failing', ['failingSince'], { where: 'failing_since IS NOT NULL' })
export class NoticeGroup {
  /** ID of a row of `notice_targets`, or derived from a target in NOTICES. */
  @PrimaryColumn({ name: 'target_id', type: 'uuid' })
  targetId!: string

  @PrimaryColumn({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @PrimaryColumn({ type: 'text' })
  type!: NoticeType

  /** The first unsent events, up to a limit. */
  @Column({ name: 'event_ids', type: 'uuid', array: true, default: '{}' })
  eventIds!: string[]

  /** Number of unsent events. */
  @Column({ type: 'integer', default: 0 })
  count!: number

  /** Attempts to send the current message. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number

  /** Null if there are no unsent events. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt!: Date | null

  @Column({ name: 'sent_at', type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null

  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null
}

/** When a workspace last sent a test. */
@Entity('notice_tests')
export class NoticeTest {
  @PrimaryColumn({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ name: 'tested_at', type: 'timestamptz', precision: 3 })
  testedAt!: Date
}
