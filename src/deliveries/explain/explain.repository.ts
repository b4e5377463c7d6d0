/** Reads an event and the webhooks that are asked about in one statement, however many they are. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { typesAboutWebhooks } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { listStatement, run } from '../../platform/database/statements.js'
import type { Statement } from '../../platform/database/statements.js'
import type { ExplainedAttempt, ExplainedDelivery, ExplainedWebhook } from './explanation.js'

/** Of an event and one webhook; all of the webhook is null where there is none to ask about. */
export interface ExplainRow {
  eventType: EventType
  /** The webhook that the event tells of, as it is shown. */
  about: string | null
  /** The example that a test sent: there is a delivery, and no event. */
  isExample: boolean
  webhookId: string | null
  webhook: ExplainedWebhook
  pausedUntil: Date | null
  probeAt: Date | null
  delivery: ExplainedDelivery | null
  lastAttempt: ExplainedAttempt | null
}

interface IdPage {
  before: string | null
  limit: number
}

interface EventOfClick {
  eventId: string | null
  occurredAt: Date
}

/** `sent` has one row at most for each webhook: what is sent again is the same delivery. */
function statementFor(asked: string): string {
  return `
    WITH event AS (
      SELECT type, CASE WHEN type IN (${typesAboutWebhooks}) THEN body::json #>> '{data,webhook,id}' END AS about
      FROM events WHERE id = $2 AND workspace_id = $1
    ), sent AS MATERIALIZED (
      SELECT deliveries.* FROM deliveries JOIN webhooks ON webhooks.id = webhook_id AND workspace_id = $1
      WHERE event_id = $2
    ), known AS (
      SELECT type, about, false AS is_example FROM event
      UNION ALL
      (SELECT event_type, NULL, true FROM sent WHERE test AND NOT EXISTS (SELECT FROM event) LIMIT 1)
    ), asked AS (${asked})
    SELECT known.type AS "eventType", known.about, known.is_example AS "isExample", webhook.id AS "webhookId",
      json_build_object('status', webhook.status, 'events', webhook.events, 'disabledReason', webhook.disabled_reason)
        AS webhook,
      webhook.created_at AS "createdAt", webhook.deleted_at AS "deletedAt",
      lane.paused_until AS "pausedUntil", lane.probe_at AS "probeAt",
      sent.id AS "deliveryId", sent.status, sent.attempt_count AS "attemptCount", sent.next_attempt_at AS "nextAttemptAt",
      sent.completed_at AS "completedAt", sent.end_reason AS "endReason", sent.test,
      last.number, last.status_code AS "statusCode", last.error_class AS "errorClass", last.error_message AS "errorMessage"
    FROM known
    LEFT JOIN (SELECT webhooks.* FROM asked JOIN webhooks USING (id)) AS webhook ON true
    LEFT JOIN lanes AS lane ON lane.webhook_id = webhook.id
    LEFT JOIN sent ON sent.webhook_id = webhook.id
    LEFT JOIN LATERAL (
      SELECT number, status_code, error_class, error_message FROM attempts
      WHERE delivery_id = sent.id ORDER BY number DESC LIMIT 1
    ) AS last ON true
    ORDER BY webhook.id DESC`
}

const oneWebhook: Statement = {
  name: 'explain for a webhook',
  text: statementFor('SELECT id FROM webhooks WHERE id = $3 AND workspace_id = $1'),
}

/** A webhook that was deleted is among them where the event was for it. */
function allWebhooks({ before, limit }: IdPage): Statement {
  const text = statementFor(`
    SELECT id FROM (
      SELECT id FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL UNION SELECT webhook_id FROM sent
    ) AS candidate
    ${before === null ? '' : 'WHERE id < $3'} ORDER BY id DESC LIMIT ${limit}`)
  return listStatement('explain for all webhooks', text, limit)
}

@Injectable()
export class ExplainRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** None where the workspace has no such event; also for a webhook that was deleted. */
  forWebhook(workspaceId: string, eventId: string, webhookId: string): Promise<ExplainRow[]> {
    return this.rows(oneWebhook, [workspaceId, eventId, webhookId])
  }

  /** The newest webhook first. */
  forAll(workspaceId: string, eventId: string, page: IdPage): Promise<ExplainRow[]> {
    const values = [workspaceId, eventId, ...(page.before === null ? [] : [page.before])]
    return this.rows(allWebhooks(page), values)
  }

  async click(workspaceId: string, id: string): Promise<EventOfClick | null> {
    const [found] = await run<EventOfClick & object>(
      this.dataSource.manager,
      {
        name: 'click to explain',
        text: 'SELECT event_id AS "eventId", occurred_at AS "occurredAt" FROM clicks WHERE id = $1 AND workspace_id = $2',
      },
      [id, workspaceId],
    )
    return found ?? null
  }

  /** The latest event of a link, deleted or not; null where the workspace has no such link. */
  async link(
    workspaceId: string,
    id: string,
    type: EventType | null,
  ): Promise<{ createdAt: Date; eventId: string | null } | null> {
    const [found] = await run<{ createdAt: Date; eventId: string | null }>(
      this.dataSource.manager,
      {
        name: 'link to explain',
        // A range, for the events of others not to be walked through by the primary key.
        text: `SELECT created_at AS "createdAt", (
            SELECT events.id FROM events
            WHERE events.link_id BETWEEN $1 AND $1 AND ($3::text IS NULL OR events.type = $3)
            ORDER BY events.link_id DESC, events.id DESC LIMIT 1
          ) AS "eventId"
          FROM links WHERE id = $1 AND workspace_id = $2`,
      },
      [id, workspaceId, type],
    )
    return found ?? null
  }

  private async rows(statement: Statement, values: unknown[]): Promise<ExplainRow[]> {
    const rows = await run<FlatRow>(this.dataSource.manager, statement, values)
    return rows.map((row) => ({
      eventType: row.eventType,
      about: row.about,
      isExample: row.isExample,
      webhookId: row.webhookId,
      webhook: { ...row.webhook, createdAt: row.createdAt, deletedAt: row.deletedAt },
      pausedUntil: row.pausedUntil,
      probeAt: row.probeAt,
      delivery: row.deliveryId === null ? null : { ...row, id: row.deliveryId },
      lastAttempt: row.number === null ? null : { ...row, number: row.number },
    }))
  }
}

type FlatRow = Pick<
  ExplainRow,
  'eventType' | 'about' | 'isExample' | 'webhookId' | 'pausedUntil' | 'probeAt'
> &
  Pick<ExplainedWebhook, 'createdAt' | 'deletedAt'> &
  Omit<ExplainedDelivery, 'id'> &
  Omit<ExplainedAttempt, 'number'> & {
    webhook: Omit<ExplainedWebhook, 'createdAt' | 'deletedAt'>
    deliveryId: string | null
    number: number | null
  }
