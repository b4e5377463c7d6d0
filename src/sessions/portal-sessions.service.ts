/** Starts and ends the sessions of the portal. */
import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import type { Actor } from '../audit/audit.service.js'
import { createTokenProblem, findTokenProblem } from '../auth/caller.js'
import type { Token } from '../auth/token.entity.js'
import { encodeId, getIdTime, newId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { RequestSource } from '../platform/http/request.js'
import { currentMs } from '../platform/util/clock.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import type { PortalSignIn } from './portal.dto.js'
import { createSecret } from './secrets.js'
import { SessionCache } from './session-cache.js'
import {
  createExpiredPortalCookie,
  createPortalCookie,
  getPortalCookieName,
  readCookie,
} from './session-guard.js'
import { isPortalSession, Session } from './session.entity.js'
import type { PortalSession } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'
import { SignInTokens } from './sign-in-tokens.js'

@Injectable()
export class PortalSessionsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sessions: SessionsRepository,
    private readonly cache: SessionCache,
    private readonly tokens: SignInTokens,
    private readonly audit: AuditService,
  ) {}

  /** Returns the session cookie. The code is deleted in the same transaction, so a failure does not lose the code. */
  async signIn({ code }: PortalSignIn, source: RequestSource): Promise<string> {
    const result = await this.dataSource.transaction(async (tx) => {
      const used = await this.tokens.usePortalCode(tx, code)
      const token = await this.tokens.findForShare(tx, used.tokenId)
      if (!token) return createTokenProblem('invalid_token')
      const problem = findTokenProblem(token)
      if (problem) return problem
      const value = createSecret()
      const sessionId = newId()
      await this.sessions.insertSession(
        tx,
        Object.assign(new Session(), {
          id: sessionId,
          ...this.tokens.hashPortalSession(value),
          tokenId: token.id,
          createdAt: getIdTime(sessionId),
          lastUsedAt: getIdTime(sessionId),
          webhookId: used.webhookId,
          actions: used.actions,
          endsAt: used.expiresAt,
        }),
      )
      const details = { webhook_id: encodeId('wh', used.webhookId) }
      const object = { type: 'session', id: sessionId } as const
      await this.audit.record(tx, toActor(token, source), 'session.created', object, details)
      return createPortalCookie(this.settings.publicUrl, value, used.expiresAt.getTime() - currentMs())
    })
    if (result instanceof Problem) throw result
    return result
  }

  /** Ends the session, if there is one. Returns the `Set-Cookie` value that removes the cookie. */
  async endSession(request: IncomingMessage, source: RequestSource): Promise<string> {
    const { publicUrl } = this.settings
    const value = readCookie(request, getPortalCookieName(publicUrl))
    const session = value === null ? null : await this.cache.findByValue(value)
    if (session && isPortalSession(session)) await this.deleteSession(session, source)
    return createExpiredPortalCookie(publicUrl)
  }

  private async deleteSession(
    { id, tokenId, webhookId }: Session & PortalSession,
    source: RequestSource,
  ): Promise<void> {
    const token = await this.tokens.findById(tokenId)
    if (!token) return
    await this.dataSource.transaction(async (tx) => {
      const ids = await this.sessions.deleteSessions(tx, { id })
      const details = { webhook_id: encodeId('wh', webhookId) }
      await this.audit.recordAndAnnounce(tx, toActor(token, source), 'session.ended', 'session', ids, details)
    })
    this.cache.evict(id)
  }
}

function toActor({ id, workspaceId }: Token, source: RequestSource): Actor {
  return { tokenId: id, workspaceId, ...source }
}
