/** Reads an event and all requested webhooks in one statement. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { subscribingNames } from '../../events/catalog.js'
import type { EventType } from '../../events/catalog.js'
import type { FilterCondition } from '../../events/webhook-filter.js'
import { encodeId } from '../../platform/database/ids.js'
import { listStatement, runStatement } from '../../platform/database/statements.js'
import type { Statement } from '../../platform/database/statements.js'
import type { WebhookOwner } from '../../webhooks/webhooks.repository.js'
import type { CurrentPause } from '../delivery-pause.js'
import type { LaneWaits } from '../delivery-status.js'
import { laneHeadSql } from '../lane-head.js'
import type { ExplainedAttempt, ExplainedDelivery, ExplainedWebhook } from './facts.js'

/** An event and one webhook. All fields of the webhook are null when no webhook matches. */
export interface ExplainRow extends LaneWaits {
  eventType: EventType
  /** Whether the event is the example that a test sent: it has a delivery, but is not recorded. */
  isExample: boolean
  /** The condition of the webhook that the event does not meet now. */
  unmetCondition: FilterCondition | null
  webhookId: string | null
  webhook: ExplainedWebhook
  delivery: ExplainedDelivery | null
  lastAttempt: ExplainedAttempt | null
  proxyFailingSince: Date | null
  pause: CurrentPause | null
}

interface IdPage {
  before: string | null
  limit: number
}

interface EventOfClick {
  eventId: string | null
  occurredAt: Date
  /** The webhooks that subscribe to clicks now, with the condition that this click does not meet. */
  subscribers: { webhookId: string; unmetCondition: FilterCondition | null }[]
}

/** `sent` has at most one row per webhook, because redelivery reuses the delivery. */
function createStatement(webhookIds: string): string {
  return `
    WITH event AS (
      SELECT type, link_id, body FROM events WHERE id = $2 AND workspace_id = $1
        AND ($3::text[] IS NULL OR EXISTS (SELECT FROM links WHERE links.id = events.link_id AND links.tags && $3))
    ), sent AS MATERIALIZED (
      SELECT deliveries.* FROM deliveries JOIN webhooks ON webhooks.id = webhook_id AND workspace_id = $1
      WHERE event_id = $2 AND ($3 IS NULL OR restricted_tags <@ $3)
    ), subject AS (
      SELECT type, link_id, body, false AS is_example FROM event
      UNION ALL
      (SELECT event_type, NULL, NULL, true FROM sent WHERE test AND NOT EXISTS (SELECT FROM event) LIMIT 1)
    ), requested AS (${webhookIds})
    SELECT subject.type AS "eventType", subject.is_example AS "isExample", webhook.id AS "webhookId",
      json_build_object('status', webhook.status, 'events', webhook.events, 'disabledReason', webhook.disabled_reason)
        AS webhook,
      CASE WHEN webhook.filter IS NOT NULL OR webhook.restricted_tags IS NOT NULL THEN
        unmet_condition(webhook.filter, webhook.restricted_tags, subject.type, subject.link_id, subject.body::json)
        END AS "unmetCondition",
      CASE WHEN subject.link_id IS NULL THEN subject.body::json #>> '{data,webhook,id}' END AS about,
      webhook.created_at AS "createdAt", webhook.deleted_at AS "deletedAt",
      lane.paused_until AS "pausedUntil", lane.probe_at AS "probeAt",
      ${laneHeadSql('webhook.id', 'webhook.ordered')} AS head, (webhook.batch ->> 'withinSeconds')::int AS "batchSeconds",
      sent.id AS "deliveryId", sent.status, sent.priority, sent.batch_id AS "batchId", sent.attempt_count AS "attemptCount",
      sent.next_attempt_at AS "nextAttemptAt", sent.completed_at AS "completedAt", sent.end_reason AS "endReason", sent.test,
      last.number, last.status_code AS "statusCode", last.error_class AS "errorClass", last.error_message AS "errorMessage",
      (SELECT min(proxy_failing_since) FROM workers WHERE alive_until > now()) AS "proxyFailingSince",
      pause.paused_at AS "allPausedAt", pause.reason AS "pauseReason"
    FROM subject
    LEFT JOIN (SELECT webhooks.* FROM requested JOIN webhooks USING (id)) AS webhook ON true
    LEFT JOIN lanes AS lane ON lane.webhook_id = webhook.id
    LEFT JOIN sent ON sent.webhook_id = webhook.id
    LEFT JOIN delivery_pause AS pause ON true
    LEFT JOIN LATERAL (
      SELECT number, status_code, error_class, error_message FROM attempts
      WHERE delivery_id = sent.id ORDER BY number DESC LIMIT 1
    ) AS last ON true
    ORDER BY webhook.id DESC`
}

const oneWebhook: Statement = {
  name: 'explain for a webhook',
  text: createStatement(`
    SELECT id FROM webhooks WHERE id = $4 AND workspace_id = $1 AND ($3 IS NULL OR restricted_tags <@ $3)`),
}

/** Includes a deleted webhook if it has a delivery of the event. */
function createAllWebhooksStatement({ before, limit }: IdPage): Statement {
  const text = createStatement(`
    SELECT id FROM (
      SELECT id FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL AND ($3 IS NULL OR restricted_tags <@ $3)
      UNION SELECT webhook_id FROM sent
    ) AS candidate
    ${before === null ? '' : 'WHERE id < $4'} ORDER BY id DESC LIMIT ${limit}`)
  return listStatement('explain for all webhooks', text, limit)
}

@Injectable()
export class ExplainRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns no row if the workspace has no such event. Finds deleted webhooks too. */
  findForWebhook(
    { workspaceId, tags }: WebhookOwner,
    eventId: string,
    webhookId: string,
  ): Promise<ExplainRow[]> {
    return this.readRows(oneWebhook, [workspaceId, eventId, tags, webhookId])
  }

  /** Returns the newest webhook first. */
  findForAllWebhooks(
    { workspaceId, tags }: WebhookOwner,
    eventId: string,
    page: IdPage,
  ): Promise<ExplainRow[]> {
    const values = [workspaceId, eventId, tags, ...(page.before === null ? [] : [page.before])]
    return this.readRows(createAllWebhooksStatement(page), values)
  }

  async findClick({ workspaceId, tags }: WebhookOwner, id: string): Promise<EventOfClick | null> {
    const [click] = await runStatement<EventOfClick & object>(
      this.dataSource.manager,
      {
        name: 'click to explain',
        text: `
          SELECT event_id AS "eventId", occurred_at AS "occurredAt", (
            SELECT COALESCE(json_agg(json_build_object(
              'webhookId', webhook.id,
              'unmetCondition', unmet_condition(webhook.filter, webhook.restricted_tags, 'click', link_id,
                json_build_object('data', json_build_object(
                  'click', json_build_object('bot', bot),
                  'link', json_build_object('tags', (SELECT tags FROM links WHERE links.id = link_id)))))
              ) ORDER BY webhook.id), '[]')
            FROM webhooks AS webhook
            WHERE webhook.workspace_id = $2 AND webhook.deleted_at IS NULL AND webhook.events && $3::text[]
              AND ($4::text[] IS NULL OR webhook.restricted_tags <@ $4)
          ) AS subscribers
          FROM clicks WHERE id = $1 AND workspace_id = $2
            AND ($4 IS NULL OR EXISTS (SELECT FROM links WHERE links.id = clicks.link_id AND links.tags && $4))`,
      },
      [id, workspaceId, subscribingNames('click'), tags],
    )
    return click ?? null
  }

  /** Returns the latest event of a link, which may be deleted. Null if the workspace has no such link. */
  async findLink(
    { workspaceId, tags }: WebhookOwner,
    id: string,
    type: EventType | null,
  ): Promise<{ createdAt: Date; eventId: string | null } | null> {
    const [link] = await runStatement<{ createdAt: Date; eventId: string | null }>(
      this.dataSource.manager,
      {
        name: 'link to explain',
        // BETWEEN keeps the planner from scanning the primary key through the events of all other links.
        text: `SELECT created_at AS "createdAt", (
            SELECT events.id FROM events
            WHERE events.link_id BETWEEN $1 AND $1 AND ($3::text IS NULL OR events.type = $3)
            ORDER BY events.link_id DESC, events.id DESC LIMIT 1
          ) AS "eventId"
          FROM links WHERE id = $1 AND workspace_id = $2 AND ($4::text[] IS NULL OR tags && $4)`,
      },
      [id, workspaceId, type, tags],
    )
    return link ?? null
  }

  private async readRows(statement: Statement, values: unknown[]): Promise<ExplainRow[]> {
    const rows = await runStatement<FlatRow>(this.dataSource.manager, statement, values)
    return rows.map((row) => ({
      eventType: row.eventType,
      isExample: row.isExample,
      unmetCondition: isAboutItself(row) ? null : row.unmetCondition,
      webhookId: row.webhookId,
      webhook: { ...row.webhook, createdAt: row.createdAt, deletedAt: row.deletedAt },
      pausedUntil: row.pausedUntil,
      probeAt: row.probeAt,
      head: row.head,
      batchSeconds: row.batchSeconds,
      delivery: row.deliveryId === null ? null : { ...row, id: row.deliveryId },
      proxyFailingSince: row.proxyFailingSince,
      pause: row.allPausedAt && { pausedAt: row.allPausedAt, reason: row.pauseReason },
      lastAttempt: row.number === null ? null : { ...row, number: row.number },
    }))
  }
}

type FlatRow = Pick<
  ExplainRow,
  'eventType' | 'isExample' | 'unmetCondition' | 'webhookId' | 'proxyFailingSince'
> &
  LaneWaits &
  Pick<ExplainedWebhook, 'createdAt' | 'deletedAt'> &
  Omit<ExplainedDelivery, 'id'> &
  Omit<ExplainedAttempt, 'number'> & {
    webhook: Omit<ExplainedWebhook, 'createdAt' | 'deletedAt'>
    deliveryId: string | null
    number: number | null
    allPausedAt: Date | null
    pauseReason: string | null
    /** The public ID of the webhook that the event is about. */
    about: string | null
  }

/** Every webhook receives events about itself, even if its token was restricted to tags. */
function isAboutItself({ webhookId, about }: Pick<FlatRow, 'webhookId' | 'about'>): boolean {
  return webhookId !== null && about === encodeId('wh', webhookId)
}
