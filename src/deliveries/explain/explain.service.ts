import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { decodeId, encodeId, timeOf } from '../../platform/database/ids.js'
import type { EventType } from '../../events/catalogue.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { Problem } from '../../platform/http/problem.js'
import { Lane } from '../lane.entity.js'
import { DeliveriesRepository } from '../reading/deliveries.repository.js'
import { ExplanationDto } from './explain.dto.js'
import type { ExplainQuery } from './explain.dto.js'
import { explain } from './explanation.js'

@Injectable()
export class ExplainService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async explain(caller: Caller, id: string, query: ExplainQuery): Promise<ExplanationDto> {
    const webhook = await this.webhooks.getEvenDeleted(caller.workspaceId, query.webhook_id)
    const eventId = decodeId('evt', id)
    if (!eventId) throw new Problem('not_found')
    const found = await this.deliveries.findOfEvent(webhook.id, eventId)
    // An example that was sent as a test has a delivery and no event.
    const event = await this.eventOf(caller.workspaceId, eventId)
    const type = event?.type ?? found?.delivery.eventType
    if (!type) throw new Problem('not_found')
    const lane = await this.dataSource.getRepository(Lane).findOneBy({ webhookId: webhook.id })
    const explanation = explain({
      event: { type, at: timeOf(eventId) },
      isAboutItself: event !== null && isAbout(event, encodeId('wh', webhook.id)),
      webhook,
      pausedUntil: lane?.pausedUntil ?? null,
      probeAt: lane?.probeAt ?? null,
      delivery: found?.delivery ?? null,
      lastAttempt: found?.lastAttempt ?? null,
      now: new Date(),
    })
    return ExplanationDto.from(explanation, {
      eventId,
      webhookId: webhook.id,
      webhook,
      delivery: found?.delivery ?? null,
    })
  }

  private async eventOf(workspaceId: string, id: string): Promise<FoundEvent | null> {
    const rows: FoundEvent[] = await this.dataSource.query(
      'SELECT type, body FROM events WHERE id = $1 AND workspace_id = $2',
      [id, workspaceId],
    )
    return rows[0] ?? null
  }
}

interface FoundEvent {
  type: EventType
  body: string
}

function isAbout({ type, body }: FoundEvent, webhookId: string): boolean {
  if (type !== 'webhook.failing' && type !== 'webhook.disabled') return false
  const { data } = JSON.parse(body) as { data: { webhook: { id: string } } }
  return data.webhook.id === webhookId
}
