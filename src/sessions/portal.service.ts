/** Creates links to the portal of a webhook, and the sessions that they start. */
import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { FastifyRequest } from 'fastify'
import { DataSource } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import type { Caller } from '../auth/caller.js'
import { createTokenProblem, findTokenProblem } from '../auth/caller.js'
import { addDuration } from '../platform/config/duration.js'
import { encodeId, getIdTime, newId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { RequestSource } from '../platform/http/request.js'
import { currentMs, currentTime } from '../platform/util/clock.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { WebhooksRepository } from '../webhooks/webhooks.repository.js'
import { defaultPortalLife } from './portal.dto.js'
import type { CreatePortalLink, PortalLinkDto, PortalSessionDto, PortalSignIn } from './portal.dto.js'
import { createSecret, isSecret, SecretHashes } from './secrets.js'
import { SessionCache } from './session-cache.js'
import {
  createExpiredPortalCookie,
  createPortalCookie,
  getPortalCookieName,
  portalPath,
  readCookie,
  SessionGuard,
} from './session-guard.js'
import { Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'
import { SignInTokens } from './sign-in-tokens.js'

@Injectable()
export class PortalService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly sessions: SessionsRepository,
    private readonly guard: SessionGuard,
    private readonly cache: SessionCache,
    private readonly tokens: SignInTokens,
    private readonly hashes: SecretHashes,
    private readonly audit: AuditService,
  ) {}

  /** The link ends with the caller's token at the latest. */
  async createLink(caller: Caller, id: string, body: CreatePortalLink): Promise<PortalLinkDto> {
    const webhook = await this.webhooks.get(caller, id)
    const wantedEnd = addDuration(currentTime(), body.expires_in ?? defaultPortalLife)
    const expiresAt = caller.expiresAt && caller.expiresAt < wantedEnd ? caller.expiresAt : wantedEnd
    const actions = [...new Set(body.allow)]
    const code = createSecret()
    await this.dataSource.transaction(async (tx) => {
      await this.sessions.insertPortalCode(tx, {
        ...this.hashes.createStored('portal code', code),
        tokenId: caller.tokenId,
        expiresAt,
        webhookId: webhook.id,
        actions,
      })
      await this.audit.record(
        tx,
        caller,
        'webhook.portal_link_created',
        { type: 'webhook', id: webhook.id },
        {
          allow: actions,
          expires_at: expiresAt.toISOString(),
        },
      )
    })
    return {
      url: `${this.settings.publicUrl}${portalPath}/webhooks/${id}#code=${code}`,
      expires_at: expiresAt.toISOString(),
    }
  }

  /** Returns the session cookie. The code is deleted in the same transaction, so a failure does not lose the code. */
  async signIn({ code }: PortalSignIn, source: RequestSource): Promise<string> {
    const result = await this.dataSource.transaction(async (tx) => {
      const used = isSecret(code)
        ? await this.sessions.usePortalCode(tx, this.hashes.listPossible('portal code', code))
        : null
      if (!used) throw new Problem('invalid_code')
      const token = await this.tokens.findById(used.tokenId)
      if (!token) return createTokenProblem('invalid_token')
      const problem = findTokenProblem(token)
      if (problem) return problem
      const value = createSecret()
      const sessionId = newId()
      await this.sessions.insertSession(
        tx,
        Object.assign(new Session(), {
          id: sessionId,
          ...this.hashes.createStored('portal session', value),
          tokenId: token.id,
          createdAt: getIdTime(sessionId),
          lastUsedAt: getIdTime(sessionId),
          webhookId: used.webhookId,
          actions: used.actions,
          endsAt: used.expiresAt,
        }),
      )
      const actor = { tokenId: token.id, workspaceId: token.workspaceId, ...source }
      await this.audit.record(
        tx,
        actor,
        'session.created',
        { type: 'session', id: sessionId },
        {
          webhook_id: encodeId('wh', used.webhookId),
        },
      )
      return createPortalCookie(this.settings.publicUrl, value, used.expiresAt.getTime() - currentMs())
    })
    if (result instanceof Problem) throw result
    return result
  }

  async describeSession(request: FastifyRequest): Promise<PortalSessionDto> {
    const { webhookId, actions, endsAt } = await this.guard.findPortalSession(request)
    return { webhook_id: encodeId('wh', webhookId), allow: actions, expires_at: endsAt.toISOString() }
  }

  /** Ends the session, if there is one. Returns the `Set-Cookie` value that removes the cookie. */
  async endSession(request: IncomingMessage): Promise<string> {
    const { publicUrl } = this.settings
    const value = readCookie(request, getPortalCookieName(publicUrl))
    const session = value === null ? null : await this.cache.findByValue(value)
    if (session) {
      await this.dataSource.transaction((tx) => this.sessions.deleteSessions(tx, { id: session.id }))
      this.cache.evict(session.id)
    }
    return createExpiredPortalCookie(publicUrl)
  }
}
