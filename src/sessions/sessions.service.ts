import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { createTokenProblem, findTokenProblem } from '../auth/caller.js'
import { findRestrictionProblem } from '../auth/restricted-attempts.js'
import type { Token } from '../auth/token.entity.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { newId, getIdTime } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { RequestSource } from '../platform/http/request.js'
import { getCookieName, createExpiredCookie, readCookie, createSessionCookie } from './session-guard.js'
import { createSecret } from './secrets.js'
import { SessionCache } from './session-cache.js'
import type { EndSession, SignIn } from './session.dto.js'
import { isPortalSession, Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'
import { SignInTokens } from './sign-in-tokens.js'

@Injectable()
export class SessionsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sessions: SessionsRepository,
    private readonly cache: SessionCache,
    private readonly tokens: SignInTokens,
    private readonly audit: AuditService,
  ) {}

  /** Returns the session cookie. The code is deleted in the same transaction, so a failure does not lose the code. */
  async signIn({ token, code }: SignIn, source: RequestSource): Promise<string> {
    if ((token === undefined) === (code === undefined)) throw createMissingCredentialProblem()
    const tokenByValue = token === undefined ? null : await this.tokens.findByValue(token)
    if (token !== undefined && !tokenByValue) throw createTokenProblem('invalid_token')
    // A problem is returned instead of thrown, so that its audit entry is committed.
    const result = await this.dataSource.transaction(async (tx) => {
      const row = tokenByValue ?? (await this.tokens.findByCode(tx, code!))
      if (!row) return createTokenProblem('invalid_token')
      const problem = findTokenProblem(row) ?? findRestrictionProblem(row, source.address)
      if (problem) await this.recordRefusal(tx, row, problem, source)
      return (
        problem ?? createSessionCookie(this.settings.publicUrl, await this.createSession(tx, row, source))
      )
    })
    if (result instanceof Problem) throw result
    return result
  }

  /** Ends the dashboard session, if there is one. Returns the `Set-Cookie` value that removes the cookie. */
  async endSession(request: IncomingMessage, { all }: EndSession, source: RequestSource): Promise<string> {
    const { publicUrl } = this.settings
    const value = readCookie(request, getCookieName(publicUrl))
    const session = value === null ? null : await this.cache.findByValue(value)
    // The value of a portal session must not end the sessions of the token that created the portal link.
    if (session && !isPortalSession(session)) await this.deleteSessions(session, all === 'true', source)
    return createExpiredCookie(publicUrl)
  }

  private async createSession(tx: EntityManager, token: Token, source: RequestSource): Promise<string> {
    const value = createSecret()
    const id = newId()
    await this.sessions.insertSession(
      tx,
      Object.assign(new Session(), {
        id,
        ...this.tokens.hashSession(value),
        tokenId: token.id,
        createdAt: getIdTime(id),
        lastUsedAt: getIdTime(id),
        webhookId: null,
        actions: null,
        endsAt: null,
      }),
    )
    await this.audit.record(tx, toActor(token, source), 'session.created', { type: 'session', id })
    return value
  }

  private async deleteSessions(session: Session, all: boolean, source: RequestSource): Promise<void> {
    const token = await this.tokens.findById(session.tokenId)
    if (!token) return
    const endedIds = await this.dataSource.transaction(async (tx) => {
      const ids = await this.sessions.deleteSessions(tx, all ? { tokenId: token.id } : { id: session.id })
      await this.audit.recordAndAnnounce(tx, toActor(token, source), 'session.ended', 'session', ids)
      return ids
    })
    for (const id of endedIds) this.cache.evict(id)
  }

  /** Records the refusal in the audit log of the token's workspace. Unknown tokens have no workspace. */
  private recordRefusal(
    tx: EntityManager,
    token: Token,
    { code }: Problem,
    source: RequestSource,
  ): Promise<void> {
    return this.audit.record(
      tx,
      toActor(token, source),
      'session.refused',
      { type: 'token', id: token.id },
      { reason: code },
    )
  }
}

function toActor({ id, workspaceId }: Token, { address, requestId }: RequestSource) {
  return { tokenId: id, workspaceId, address, requestId }
}

function createMissingCredentialProblem(): Problem {
  const detail = 'Send either token or code.'
  return new Problem('validation_failed', {
    detail,
    errors: [{ pointer: '/token', code: 'one_of', detail }],
  })
}
