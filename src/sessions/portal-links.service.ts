/** Creates links to the portal of a webhook. */
import { Inject, Injectable } from '@nestjs/common'

import { AuditService } from '../audit/audit.service.js'
import type { Caller } from '../auth/caller.js'
import { addDuration } from '../platform/config/duration.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { currentTime } from '../platform/util/clock.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { WebhooksRepository } from '../webhooks/webhooks.repository.js'
import { defaultPortalLife } from './portal.dto.js'
import type { CreatePortalLink, PortalLinkDto } from './portal.dto.js'
import { createSecret, SecretHashes } from './secrets.js'
import { portalPath } from './session-guard.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class PortalLinksService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly webhooks: WebhooksRepository,
    private readonly sessions: SessionsRepository,
    private readonly hashes: SecretHashes,
    private readonly audit: AuditService,
    private readonly idempotency: Idempotency,
  ) {}

  /** The link ends with the caller's token at the latest. */
  async createLink(caller: Caller, id: string, body: CreatePortalLink): Promise<PortalLinkDto> {
    const webhook = await this.webhooks.get(caller, id)
    const wantedEnd = addDuration(currentTime(), body.expires_in ?? defaultPortalLife)
    const expiresAt = caller.expiresAt && caller.expiresAt < wantedEnd ? caller.expiresAt : wantedEnd
    const actions = [...new Set(body.allow)]
    const code = createSecret()
    return this.idempotency.runOnce(caller.keyed, async (tx) => {
      await this.sessions.insertPortalCode(tx, {
        ...this.hashes.createStored('portal code', code),
        tokenId: caller.tokenId,
        expiresAt,
        webhookId: webhook.id,
        actions,
      })
      const object = { type: 'webhook', id: webhook.id } as const
      const details = { allow: actions, expires_at: expiresAt.toISOString() }
      await this.audit.record(tx, caller, 'webhook.portal_link_created', object, details)
      return {
        url: `${this.settings.publicUrl}${portalPath}/webhooks/${id}#code=${code}`,
        expires_at: expiresAt.toISOString(),
      }
    })
  }
}
