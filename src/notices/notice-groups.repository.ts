/** Groups unsent events by target and type: one message an hour contains all events since the last one. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Event } from '../events/payloads.js'
import type { NoticeType } from '../platform/config/notice-setting.js'
import { maxListed } from './notice-texts.js'
import { NoticeGroup } from './notice.entity.js'
import type { PendingNotice } from './notice.entity.js'
import type { TargetState } from './notices.dto.js'

/** Delays after failed attempts, in seconds. Longer than an attempt takes, because they also serve as a lease. */
const retryDelays = [120, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400]
const betweenMessages = '1 hour'
const pendingAtOnce = 500
/** More than a message lists, because the events of the next message are added while one is being sent. */
const maxKept = 1_000

@Injectable()
export class NoticeGroupsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Removes some pending notices, and adds them to groups in the same transaction. Returns their number. */
  groupPending(group: (tx: EntityManager, pending: PendingNotice[]) => Promise<void>): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const [pending]: [PendingNotice[], number] = await tx.query(
        `DELETE FROM pending_notices WHERE event_id IN (
           SELECT event_id FROM pending_notices ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING event_id AS "eventId", workspace_id AS "workspaceId", type`,
        [pendingAtOnce],
      )
      if (pending.length > 0) await group(tx, pending)
      return pending.length
    })
  }

  /** Adds events to a group. The message is due now, or an hour after the previous one. */
  async addEvents(
    tx: EntityManager,
    { targetId, workspaceId, type }: Pick<NoticeGroup, 'targetId' | 'workspaceId' | 'type'>,
    eventIds: readonly string[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO notice_groups (target_id, workspace_id, type, event_ids, count, next_attempt_at)
       VALUES ($1, $2, $3, ($4::uuid[])[1:$5], cardinality($4::uuid[]), now())
       ON CONFLICT (target_id, workspace_id, type) DO UPDATE SET
         event_ids = (notice_groups.event_ids || $4::uuid[])[1:$5],
         count = notice_groups.count + cardinality($4::uuid[]),
         next_attempt_at = COALESCE(notice_groups.next_attempt_at,
           GREATEST(now(), notice_groups.sent_at + interval '${betweenMessages}'))`,
      [targetId, workspaceId, type, eventIds, maxKept],
    )
  }

  /**
   * Claims a due group of a workspace's target or of one of these targets in NOTICES. Other workers skip it until its
   * next attempt, even if this worker crashes.
   */
  async claimGroup(operatorIds: readonly string[]): Promise<NoticeGroup | null> {
    const [claimed]: [NoticeGroup[], number] = await this.dataSource.query(
      `UPDATE notice_groups SET attempts = attempts + 1,
         next_attempt_at = now() + ($1::int[])[LEAST(attempts + 1, cardinality($1::int[]))] * interval '1 s'
       WHERE (target_id, workspace_id, type) = (
         SELECT target_id, workspace_id, type FROM notice_groups
         WHERE next_attempt_at <= now()
           AND (target_id = ANY ($2::uuid[]) OR EXISTS (SELECT FROM notice_targets WHERE id = target_id))
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING target_id AS "targetId", workspace_id AS "workspaceId", type, event_ids AS "eventIds", count, attempts,
         next_attempt_at AS "nextAttemptAt", sent_at AS "sentAt", failing_since AS "failingSince",
         last_error AS "lastError"`,
      [retryDelays, operatorIds],
    )
    return claimed[0] ?? null
  }

  /** Keeps the events that were added after the claim, for a message in an hour. */
  async markSent(group: NoticeGroup): Promise<void> {
    const [, updated]: [unknown[], number] = await this.dataSource.query(
      `UPDATE notice_groups SET
         event_ids = ARRAY(SELECT id FROM unnest(event_ids) WITH ORDINALITY AS unsent (id, place)
           WHERE id <> ALL ($4::uuid[]) ORDER BY place),
         count = count - $5,
         attempts = 0, failing_since = NULL, last_error = NULL, sent_at = now(),
         next_attempt_at = CASE WHEN count > $5 THEN now() + interval '${betweenMessages}' END
       WHERE target_id = $1 AND workspace_id = $2 AND type = $3 AND next_attempt_at = $6`,
      [group.targetId, group.workspaceId, group.type, group.eventIds, group.count, group.nextAttemptAt],
    )
    if (updated === 0) await this.recordSentTime(group)
  }

  /** For a claim that `dropUnsent` has ended. Delays events that were added later, unless another attempt has begun. */
  private async recordSentTime({ targetId, workspaceId, type }: NoticeGroup): Promise<void> {
    await this.dataSource.query(
      `UPDATE notice_groups SET sent_at = now(),
         next_attempt_at = CASE WHEN attempts = 0 AND count > 0 THEN now() + interval '${betweenMessages}'
           ELSE next_attempt_at END
       WHERE target_id = $1 AND workspace_id = $2 AND type = $3`,
      [targetId, workspaceId, type],
    )
  }

  async markFailed(
    { targetId, workspaceId, type, nextAttemptAt }: NoticeGroup,
    reason: string,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE notice_groups SET failing_since = COALESCE(failing_since, now()), last_error = $4
       WHERE target_id = $1 AND workspace_id = $2 AND type = $3 AND next_attempt_at = $5`,
      [targetId, workspaceId, type, reason, nextAttemptAt],
    )
  }

  /** Drops the events of a target that has rejected every attempt. Later events start a new message. */
  async giveUp({ targetId, workspaceId, type, nextAttemptAt }: NoticeGroup): Promise<void> {
    await this.dataSource.query(
      `UPDATE notice_groups SET event_ids = '{}', count = 0, attempts = 0, next_attempt_at = NULL
       WHERE target_id = $1 AND workspace_id = $2 AND type = $3 AND next_attempt_at = $4`,
      [targetId, workspaceId, type, nextAttemptAt],
    )
  }

  /**
   * Deletes the groups of removed targets. Waits for a day, because another worker may have a target in its NOTICES
   * while the setting is changed. A group without unsent events has no next attempt.
   */
  async deleteAbandoned(operatorIds: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM notice_groups
       WHERE GREATEST(next_attempt_at, sent_at, failing_since) < now() - interval '1 day' AND target_id <> ALL ($1::uuid[])
         AND NOT EXISTS (SELECT FROM notice_targets WHERE id = target_id)`,
      [operatorIds],
    )
  }

  /** Deletes the groups of a removed target. */
  async deleteGroups(targetId: string, db: EntityManager): Promise<void> {
    await db.delete(NoticeGroup, { targetId })
  }

  /** Drops the unsent events of a target, except those of these types. `sent_at` stays, because it limits later messages. */
  async dropUnsent(tx: EntityManager, targetId: string, keptTypes: readonly NoticeType[]): Promise<void> {
    await tx.query(
      `UPDATE notice_groups SET event_ids = '{}', count = 0, attempts = 0, next_attempt_at = NULL,
         failing_since = NULL, last_error = NULL
       WHERE target_id = $1 AND type <> ALL ($2::text[])`,
      [targetId, keptTypes],
    )
  }

  isLastAttempt({ attempts }: NoticeGroup): boolean {
    return attempts >= retryDelays.length
  }

  /** Returns the events for a message that are still stored, oldest first. */
  async findEvents({ workspaceId, eventIds }: NoticeGroup): Promise<Event[]> {
    const rows: { body: string }[] = await this.dataSource.query(
      'SELECT body FROM events WHERE id = ANY ($1) AND workspace_id = $2 ORDER BY id',
      [eventIds.slice(0, maxListed), workspaceId],
    )
    return rows.map(({ body }) => JSON.parse(body) as Event)
  }

  /** Returns the state of each target across its groups. */
  async findStates(
    targetIds: readonly string[],
    db: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, TargetState>> {
    const rows: (TargetState & { targetId: string })[] = await db.query(
      `SELECT target_id AS "targetId", max(sent_at) AS "lastSentAt", min(failing_since) AS "failingSince",
         (array_agg(last_error ORDER BY failing_since) FILTER (WHERE last_error IS NOT NULL))[1] AS "lastError"
       FROM notice_groups WHERE target_id = ANY ($1) GROUP BY target_id`,
      [targetIds],
    )
    return new Map(rows.map((row) => [row.targetId, row]))
  }

  async findWorkspaceName(workspaceId: string): Promise<string> {
    const [row]: { name: string }[] = await this.dataSource.query(
      'SELECT name FROM workspaces WHERE id = $1',
      [workspaceId],
    )
    return row?.name ?? ''
  }
}
