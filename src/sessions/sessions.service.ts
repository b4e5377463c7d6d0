import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { refusal, refusalOf } from '../auth/caller.js'
import type { Token } from '../auth/token.entity.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { newId, timeOf } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { RequestSource } from '../platform/http/request.js'
import { cookieName, cookieOf, noCookie, valueIn } from './session-guard.js'
import { makeRandomText } from './secrets.js'
import { SessionCache } from './session-cache.js'
import type { EndSession, SignIn } from './session.dto.js'
import { Session } from './session.entity.js'
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

  /** Resolves with the cookie. A code is used up in the transaction of the session, so a failure does not lose it. */
  async signIn({ token, code }: SignIn, source: RequestSource): Promise<string> {
    if ((token === undefined) === (code === undefined)) throw neitherOrBoth()
    const named = token === undefined ? null : await this.tokens.byValue(token)
    if (token !== undefined && !named) throw refusal('invalid_token')
    const outcome = await this.dataSource.transaction(async (tx) => {
      const found = named ?? (await this.tokens.byCode(tx, code!))
      if (!found) return refusal('invalid_token')
      const refused = refusalOf(found)
      if (refused) await this.noteRefusal(tx, found, refused, source)
      return refused ?? cookieOf(this.settings.publicUrl, await this.start(tx, found, source))
    })
    if (outcome instanceof Problem) throw outcome
    return outcome
  }

  /** Resolves with a `set-cookie` value that removes the cookie, whether or not there was a session. */
  async end(request: IncomingMessage, { all }: EndSession, source: RequestSource): Promise<string> {
    const { publicUrl } = this.settings
    const value = valueIn(request, cookieName(publicUrl))
    const session = value === null ? null : await this.cache.find(value)
    if (session) await this.endIn(session, all === 'true', source)
    return noCookie(publicUrl)
  }

  private async start(tx: EntityManager, token: Token, source: RequestSource): Promise<string> {
    const value = makeRandomText()
    const id = newId()
    await this.sessions.insert(
      tx,
      Object.assign(new Session(), {
        id,
        hash: this.tokens.hashOfSession(value),
        tokenId: token.id,
        createdAt: timeOf(id),
        lastUsedAt: timeOf(id),
      }),
    )
    await this.audit.record(tx, actorOf(token, source), 'session.created', { type: 'session', id })
    return value
  }

  private async endIn(session: Session, all: boolean, source: RequestSource): Promise<void> {
    const token = await this.tokens.byId(session.tokenId)
    if (!token) return
    const ended = await this.dataSource.transaction(async (tx) => {
      const ids = await this.sessions.end(tx, all ? { tokenId: token.id } : { id: session.id })
      await this.audit.recordAndAnnounce(tx, actorOf(token, source), 'session.ended', 'session', ids)
      return ids
    })
    for (const id of ended) this.cache.forget(id)
  }

  /** The token is known, so its workspace can see the refusal. An unknown token leaves only a line in the log. */
  private noteRefusal(
    tx: EntityManager,
    token: Token,
    { code }: Problem,
    source: RequestSource,
  ): Promise<void> {
    return this.audit.record(
      tx,
      actorOf(token, source),
      'session.refused',
      { type: 'token', id: token.id },
      { reason: code },
    )
  }
}

function actorOf({ id, workspaceId }: Token, { address, requestId }: RequestSource) {
  return { tokenId: id, workspaceId, address, requestId }
}

function neitherOrBoth(): Problem {
  const detail = 'Send either token or code.'
  return new Problem('validation_failed', {
    detail,
    errors: [{ pointer: '/token', code: 'one_of', detail }],
  })
}
