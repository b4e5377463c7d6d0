import { Inject, Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { createPortalProblem } from '../../auth/portal-access.js'
import { eventTypes, subscribesTo } from '../../events/catalog.js'
import type { EventType } from '../../events/catalog.js'
import { oldestKeptEvent } from '../../events/event.entity.js'
import { timeAgo } from '../../platform/config/duration.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { lowestIdAt, newId, getIdTime } from '../../platform/database/ids.js'
import { allowLongerStatements, largeRequestTimeoutMs } from '../../platform/database/pg-client.js'
import { Idempotency } from '../../platform/http/idempotency.js'
import { requireRoom } from '../../workspaces/quotas.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import type { FieldErrorCode } from '../../field-errors.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { replayQuota, ReplaysRepository } from './replays.repository.js'
import type { NewReplay } from './replays.repository.js'
import type { CreateReplay, ReplayDto } from './replay.dto.js'

const clicksNote =
  'Clicks that no webhook in the workspace wanted when they were recorded have no events and are not included. They are in the click list.'

@Injectable()
export class ReplaysService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly webhooks: WebhooksRepository,
    private readonly replays: ReplaysRepository,
    private readonly queue: JobQueue,
    private readonly idempotency: Idempotency,
  ) {}

  /** Counts the deliveries and stores the replay. A runner sends them in the background. */
  async create(caller: Caller, id: string, body: CreateReplay): Promise<ReplayDto> {
    // A visitor of the portal must not receive events from before the webhook was created.
    if (caller.portal && body.from === 'events')
      throw createPortalProblem('This session can only replay deliveries of the webhook. Omit `from`.')
    const webhook = await this.webhooks.get(caller, id)
    const replay = this.newReplay(webhook, body)
    const isOfEvents = replay.source === 'events'
    return this.idempotency.runOnce(caller.keyed, async (tx) => {
      // The count evaluates a filter for each event in the range.
      await allowLongerStatements(tx, largeRequestTimeoutMs)
      const deliveries = await this.replays.countDeliveries(tx, replay, webhook)
      // A replay of events is stored even if none is missing, because running transactions may record more events.
      if ((deliveries > 0 || isOfEvents) && body.dry_run !== true) {
        await requireRoom(tx, webhook.workspaceId, replayQuota, this.settings.workspaceReplays)
        await this.replays.insertReplay(tx, replay)
        afterCommit(tx, () => this.queue.addHints('replay', [{ replayId: replay.id }]))
      }
      return { deliveries, note: isOfEvents && replay.types?.includes('click') ? clicksNote : null }
    })
  }

  private newReplay(webhook: Webhook, body: CreateReplay): NewReplay {
    const id = newId()
    const range = {
      id,
      webhookId: webhook.id,
      ignoreFilter: body.ignore_filter ?? false,
      ...this.parseRange(body, getIdTime(id)),
    }
    if (body.from !== 'events')
      return { ...range, source: 'deliveries', status: body.status ?? 'failed', types: body.events ?? null }
    if (body.status !== undefined)
      throw createFieldProblem(
        '/status',
        'mutually_exclusive',
        'Must be omitted: events that were never sent have no status.',
      )
    return { ...range, source: 'events', status: null, types: selectTypes(webhook, body.events) }
  }

  /** Returns the range as exclusive bounds of IDs. */
  private parseRange(body: CreateReplay, now: Date): Pick<NewReplay, 'position' | 'until'> {
    const since = parseTime(body.since, now)
    const until = body.until === undefined ? now : parseTime(body.until, now)
    if (since > now) throw createFieldProblem('/since', 'in_the_future', 'Must be in the past.')
    if (until <= since) throw createFieldProblem('/until', 'not_after_since', 'Must be later than since.')
    const oldest = oldestKeptEvent(this.settings, now)
    const lastMs = Math.min(until.getTime(), now.getTime())
    return {
      position: lowestIdAt(since < oldest ? oldest : since),
      until: lowestIdAt(new Date(lastMs + 1)),
    }
  }
}

function parseTime(text: string, now: Date): Date {
  return timeAgo(text, now) ?? new Date(text)
}

/** Returns the requested types, or all that the webhook subscribes to. Tests are never replayed. */
function selectTypes({ events }: Webhook, requested: readonly EventType[] | undefined): EventType[] {
  const subscribed = eventTypes.filter((type) => subscribesTo(events, type))
  const missing = requested?.filter((type) => !subscribed.includes(type)) ?? []
  if (missing.length > 0)
    throw createFieldProblem(
      '/events',
      'not_subscribed',
      `The webhook does not subscribe to ${missing.join(', ')}. Subscribe the webhook to the missing types first, or omit them.`,
    )
  return subscribed.filter((type) => type !== 'webhook.test' && (requested?.includes(type) ?? true))
}

function createFieldProblem(pointer: string, code: FieldErrorCode, detail: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, code, detail }] })
}
