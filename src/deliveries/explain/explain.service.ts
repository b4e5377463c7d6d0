import { Inject, Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { mayRead } from '../../events/catalog.js'
import { oldestKeptEvent } from '../../events/event.entity.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { decodeId, getIdTime, noId } from '../../platform/database/ids.js'
import { Cursors } from '../../platform/http/input/page.js'
import { currentTime } from '../../platform/util/clock.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { ExplanationDto, SubjectExplanationDto } from './explain.dto.js'
import type { ExplainLinkQuery, ExplainQuery } from './explain.dto.js'
import { ExplainRepository } from './explain.repository.js'
import type { ExplainRow } from './explain.repository.js'
import { explain } from './explanation.js'
import { explainMissingClickEvent, explainMissingLinkEvent } from './unexplained.js'

@Injectable()
export class ExplainService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly explanations: ExplainRepository,
    private readonly cursors: Cursors,
  ) {}

  async explainEvent(
    caller: Caller,
    id: string,
    query: ExplainQuery,
  ): Promise<ExplanationDto | SubjectExplanationDto> {
    const eventId = decodeId('evt', id)
    const explained = eventId && (await this.explainSubject(caller, eventId, query))
    if (!explained) throw notFound('event')
    return query.webhook_id === undefined ? explained : explained.data[0]!
  }

  /** A click and its event have the same ID. */
  async explainClick(caller: Caller, id: string, query: ExplainQuery): Promise<SubjectExplanationDto> {
    const clickId = decodeId('clk', id)
    if (!clickId) throw notFound('click')
    const explained = await this.explainSubject(caller, clickId, query)
    if (explained) return explained
    const click = await this.explanations.findClick(caller, clickId)
    if (!click) throw notFound('click')
    return SubjectExplanationDto.withoutEvent(explainMissingClickEvent(click, this.getOldestKept()))
  }

  async explainLink(caller: Caller, id: string, query: ExplainLinkQuery): Promise<SubjectExplanationDto> {
    const linkId = decodeId('lnk', id)
    const type = query.type ?? null
    const link = linkId && (await this.explanations.findLink(caller, linkId, type))
    if (!link) throw notFound('link')
    const explained = link.eventId && (await this.explainSubject(caller, link.eventId, query))
    if (explained) return explained
    return SubjectExplanationDto.withoutEvent(
      explainMissingLinkEvent(link.createdAt, type, this.getOldestKept()),
    )
  }

  private async explainSubject(
    caller: Caller,
    eventId: string,
    query: ExplainQuery,
  ): Promise<SubjectExplanationDto | null> {
    const page = await this.cursors.readPage(query, `explanations of ${eventId}`, {
      read: (before, limit) => this.findRows(caller, eventId, query.webhook_id, { before, limit }),
      position: ({ webhookId }) => webhookId ?? noId,
      show: (row) => row,
    })
    const [first] = page.data
    if (!first || !mayRead(caller, first.eventType)) return null
    if (first.webhookId === null && query.cursor === undefined)
      return SubjectExplanationDto.withoutWebhooks(eventId, first.eventType)
    // An event without webhooks is one row whose webhook is null.
    const rows = page.data.filter((row): row is WebhookRow => row.webhookId !== null)
    const explained = page.withData(rows.map((row) => explainRow(row, eventId, this.getOldestKept())))
    return SubjectExplanationDto.forEvent(eventId, first.eventType, explained)
  }

  /** `webhook` is the ID from the request. A malformed, unknown or foreign ID is reported as not found. */
  private async findRows(
    caller: Caller,
    eventId: string,
    webhook: string | undefined,
    page: { before: string | null; limit: number },
  ): Promise<ExplainRow[]> {
    if (webhook === undefined) return this.explanations.findForAllWebhooks(caller, eventId, page)
    const rows = await this.explanations.findForWebhook(caller, eventId, decodeId('wh', webhook) ?? noId)
    if (rows[0]?.webhookId === null) throw notFound('webhook')
    return rows
  }

  private getOldestKept(): Date {
    return oldestKeptEvent(this.settings, currentTime())
  }
}

type WebhookRow = ExplainRow & { webhookId: string }

function explainRow(row: WebhookRow, eventId: string, oldestKept: Date): ExplanationDto {
  const { eventType, ...facts } = row
  const explanation = explain({
    ...facts,
    event: { type: eventType, at: getIdTime(eventId) },
    oldestKept,
    now: currentTime(),
  })
  return ExplanationDto.fromExplanation(explanation, { ...row, eventId })
}
