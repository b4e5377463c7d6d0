import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { refuseScopes } from '../auth/access.js'
import type { Caller } from '../auth/caller.js'
import type { Scope } from '../auth/scopes.js'
import { receivingScopes, scopedTypes } from '../events/catalog.js'
import { newId, getIdTime } from '../platform/database/ids.js'
import { addDuration } from '../platform/config/duration.js'
import { getNextVersionTime, requireMatch } from '../platform/http/resource-headers.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { currentTime } from '../platform/util/clock.js'
import { parseUrl } from '../platform/util/parse-url.js'
import { patchBatch, requireStandardFormat } from './webhook-batch.dto.js'
import { WebhookHeaders } from './webhook-headers.js'
import { WebhookSecrets, generateSecret } from './webhook-secrets.js'
import { noOverlap } from './webhook-fields.js'
import { patchFilter, WebhookFilterDto } from './webhook-filter.dto.js'
import { NewSecretDto, WebhookDto } from './webhook.dto.js'
import type { CreateWebhook, RotateSecret, UpdateWebhook } from './webhook-input.dto.js'
import { Webhook } from './webhook.entity.js'
import { WebhookLanes } from './webhook-lanes.js'
import type { LaneFigures } from './webhook-lanes.js'
import { WebhooksRepository } from './webhooks.repository.js'

const defaultInFlight = 20
const defaultOverlap = '24h'
const idle: LaneFigures = {
  pending: 0,
  held: 0,
  lastSuccessAt: null,
  failingSince: null,
  lastError: null,
  successRate24h: null,
  nextAttemptAt: null,
  circuit: 'closed',
}

/** The fields that callers can change, and their properties in the entity. */
const changeable = {
  url: 'url',
  events: 'events',
  filter: 'filter',
  description: 'description',
  max_in_flight: 'maxInFlight',
  ordered: 'ordered',
  batch: 'batch',
  status: 'status',
  secret: 'sealedSecret',
  headers: 'sealedHeaders',
  format: 'format',
} as const satisfies Record<keyof UpdateWebhook, keyof Webhook>

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly headers: WebhookHeaders,
    private readonly lanes: WebhookLanes,
    private readonly audit: AuditService,
    private readonly idempotency: Idempotency,
  ) {}

  async create(caller: Caller, body: CreateWebhook): Promise<NewSecretDto> {
    const missing = receivingScopes(body.events).filter((scope) => !caller.useScope(scope))
    if (missing.length > 0) await refuseScopes(this.audit, caller, missing)
    const id = newId()
    const secret = body.secret ?? generateSecret()
    const webhook = Object.assign(new Webhook(), {
      id,
      workspaceId: caller.workspaceId,
      url: body.url,
      events: withoutDuplicates(body.events),
      filter: patchFilter(null, body.filter ?? null),
      restrictedTags: caller.tags?.slice() ?? null,
      description: body.description ?? null,
      status: 'active' as const,
      disabledReason: null,
      maxInFlight: body.max_in_flight ?? defaultInFlight,
      ordered: body.ordered ?? false,
      batch: patchBatch(null, body.batch ?? null),
      ...this.secrets.replace(id, secret, null, null),
      ...this.headers.create(id, body.headers),
      format: body.format ?? 'standard',
      createdAt: getIdTime(id),
      updatedAt: getIdTime(id),
      deletedAt: null,
    } satisfies Omit<Webhook, 'workspace'>)
    requireStandardFormat(webhook)
    return this.idempotency.runOnce(caller.keyed, async (tx) => {
      await this.webhooks.insert(tx, webhook)
      await this.lanes.createLane(tx, id)
      await this.audit.recordAndAnnounce(tx, caller, 'webhook.created', 'webhook', [webhook.id], {
        host: getWebhookHost(webhook),
        events: webhook.events,
      })
      return NewSecretDto.withSecret(
        WebhookDto.from(webhook, idle),
        body.secret === undefined ? secret : null,
      )
    })
  }

  async update(
    caller: Caller,
    id: string,
    body: UpdateWebhook,
    ifMatch: string | undefined,
  ): Promise<WebhookDto> {
    let missing: Scope[] = []
    const shown = await this.webhooks.transaction(async (tx) => {
      const before = await this.lock(tx, caller, id, ifMatch)
      const changes = this.getRequestedChanges(before, body)
      const after = Object.assign(new Webhook(), before, changes)
      requireStandardFormat(after)
      const fields = changesBetween(before, after)
      if (fields.length === 0) return this.show(tx, before)
      if (changesReceivedEvents(fields)) {
        // Kept deliveries can be sent to the new URL, even if the webhook no longer subscribes to their types.
        const isKept = fields.includes('url') && (await this.lanes.hasDeliveries(tx, after.id, scopedTypes))
        const received = isKept ? [...after.events, ...scopedTypes] : after.events
        missing = ['events:read' as const, ...receivingScopes(received)].filter(
          (scope) => !caller.useScope(scope),
        )
        if (missing.length > 0) return null
      }
      after.updatedAt = getNextVersionTime(before.updatedAt)
      await this.webhooks.update(tx, after.id, { ...changes, updatedAt: after.updatedAt })
      // Failures and pauses of the old URL do not apply to a new one.
      const isResumed = after.status === 'active' && (before.status !== 'active' || before.url !== after.url)
      if (isResumed) await this.lanes.resumeLane(tx, after.id)
      else if (fields.includes('ordered') || fields.includes('batch'))
        this.lanes.wakeAfterCommit(tx, after.id)
      if (before.batch !== null && after.batch === null) await this.lanes.dissolveBatches(tx, after.id)
      await this.audit.recordAndAnnounce(tx, caller, 'webhook.changed', 'webhook', [after.id], {
        fields,
        ...(fields.includes('status') ? { status: after.status } : {}),
      })
      return this.show(tx, after)
    })
    // Outside the transaction, because the audit entry needs its own connection. Nothing was changed.
    return shown ?? refuseScopes(this.audit, caller, missing)
  }

  /** Deletes a webhook. Nothing is sent after the response, and pending deliveries show as canceled immediately. */
  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    const webhookId = await this.webhooks.transaction(async (tx) => {
      const webhook = await this.lock(tx, caller, id, ifMatch)
      await this.lanes.lockForDeletion(tx, webhook.id)
      await this.webhooks.update(tx, webhook.id, { deletedAt: currentTime() })
      await this.audit.recordAndAnnounce(tx, caller, 'webhook.deleted', 'webhook', [webhook.id], {
        host: getWebhookHost(webhook),
      })
      return webhook.id
    })
    await this.lanes.waitUntilReleased(webhookId)
  }

  rotate(caller: Caller, id: string, body: RotateSecret): Promise<NewSecretDto> {
    return this.idempotency.runOnce(caller.keyed, async (tx) => {
      const before = await this.lock(tx, caller, id, undefined)
      const secret = body.secret ?? generateSecret()
      const endsAt = overlapEnd(body.overlap ?? defaultOverlap)
      const changes = this.getRotationChanges(before, secret, endsAt)
      const after = Object.assign(new Webhook(), before, changes)
      if (isSameSecret(before, after)) return NewSecretDto.withSecret(await this.show(tx, after), null)
      after.updatedAt = getNextVersionTime(before.updatedAt)
      await this.webhooks.update(tx, after.id, { ...changes, updatedAt: after.updatedAt })
      await this.audit.recordAndAnnounce(tx, caller, 'webhook.secret_rotated', 'webhook', [after.id], {
        old_ends_at: after.oldSecretEndsAt?.toISOString() ?? null,
      })
      return NewSecretDto.withSecret(await this.show(tx, after), body.secret === undefined ? secret : null)
    })
  }

  private async lock(
    tx: EntityManager,
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
  ): Promise<Webhook> {
    const webhook = await this.webhooks.lock(tx, caller, id)
    requireMatch(ifMatch, WebhookDto.from(webhook, idle))
    return webhook
  }

  private async show(tx: EntityManager, webhook: Webhook): Promise<WebhookDto> {
    return WebhookDto.from(webhook, (await this.lanes.getLaneFigures([webhook], tx)).get(webhook.id)!)
  }

  private getRequestedChanges(webhook: Webhook, patch: UpdateWebhook): Partial<Webhook> {
    return {
      ...(patch.url === undefined ? {} : { url: patch.url }),
      ...(patch.events === undefined ? {} : { events: withoutDuplicates(patch.events) }),
      ...getRequestedFilter(webhook, patch),
      ...(patch.description === undefined ? {} : { description: patch.description }),
      ...(patch.max_in_flight === undefined ? {} : { maxInFlight: patch.max_in_flight }),
      ...(patch.ordered === undefined ? {} : { ordered: patch.ordered }),
      ...(patch.batch === undefined ? {} : { batch: patchBatch(webhook.batch, patch.batch) }),
      ...(patch.status === undefined ? {} : { status: patch.status, disabledReason: null }),
      ...(patch.secret === undefined || this.secrets.isPresent(webhook, patch.secret)
        ? {}
        : this.secrets.replace(webhook.id, patch.secret, webhook.sealedSecret, overlapEnd(defaultOverlap))),
      ...(patch.format === undefined ? {} : { format: patch.format }),
      ...this.headers.change(webhook, patch.headers, patch.url ?? webhook.url),
    }
  }

  /** With the current secret, a rotation can only shorten the overlap, so repeating it changes nothing. */
  private getRotationChanges(webhook: Webhook, secret: string, endsAt: Date | null): Partial<Webhook> {
    if (!this.secrets.isPresent(webhook, secret))
      return this.secrets.replace(webhook.id, secret, webhook.sealedSecret, endsAt)
    const { oldSecretEndsAt } = webhook
    if (oldSecretEndsAt === null || oldSecretEndsAt <= (endsAt ?? currentTime())) return {}
    return endsAt === null ? { sealedOldSecret: null, oldSecretEndsAt: null } : { oldSecretEndsAt: endsAt }
  }
}

/** Returns null if the old secret ends now. */
function overlapEnd(overlap: string): Date | null {
  return overlap === noOverlap ? null : addDuration(currentTime(), overlap)
}

function withoutDuplicates(events: readonly string[]): string[] {
  return [...new Set(events)]
}

/** Compares the filters as shown, because the database reorders the keys of the stored filter. */
function getRequestedFilter({ filter: before }: Webhook, { filter: patch }: UpdateWebhook): Partial<Webhook> {
  if (patch === undefined) return {}
  const filter = patchFilter(before, patch)
  const isSame =
    JSON.stringify(before && WebhookFilterDto.from(before)) ===
    JSON.stringify(filter && WebhookFilterDto.from(filter))
  return isSame ? {} : { filter }
}

function changesBetween(before: Webhook, after: Webhook): string[] {
  return Object.entries(changeable)
    .filter(([, column]) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))
    .map(([name]) => name)
}

/** Callers must not have events that they cannot read sent to a URL of their choice. */
function changesReceivedEvents(fields: readonly string[]): boolean {
  return ['url', 'events', 'filter'].some((name) => fields.includes(name))
}

function isSameSecret(before: Webhook, after: Webhook): boolean {
  return before.sealedSecret === after.sealedSecret && before.oldSecretEndsAt === after.oldSecretEndsAt
}

/** Returns the host for the audit log, which is kept forever. The path of a URL may contain a credential. */
function getWebhookHost({ url }: Webhook): string {
  return parseUrl(url)!.host
}
