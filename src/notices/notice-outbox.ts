import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { NoticeOutbox } from '../events/ports.js'
import type { RecordedEvent } from '../events/ports.js'
import { noticeTypes } from '../platform/config/notice-setting.js'

const noticed = new Set<string>(noticeTypes)

/** Only inserts, so that concurrent events do not wait for each other. A job creates the messages. */
@Injectable()
export class StoredNoticeOutbox implements NoticeOutbox {
  async queueNotices(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.filter(({ type }) => noticed.has(type))
    if (rows.length === 0) return
    await tx.query(
      `INSERT INTO pending_notices (event_id, workspace_id, type)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])`,
      [rows.map(({ id }) => id), rows.map(({ workspaceId }) => workspaceId), rows.map(({ type }) => type)],
    )
  }
}
