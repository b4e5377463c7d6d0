/** Finds the token that a user signs in with, by its value or by a one-time code, and creates sign-in URLs. */
import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { scopes } from '../auth/scopes.js'
import { TokenCache } from '../auth/token-cache.js'
import { TokenCommands } from '../auth/token-commands.js'
import type { Token } from '../auth/token.entity.js'
import { TokensRepository } from '../auth/tokens.repository.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { decodeId } from '../platform/database/ids.js'
import { StartupError } from '../platform/config/startup-error.js'
import { Problem } from '../platform/http/problems/problem.js'
import { findTokenProblem } from '../auth/caller.js'
import { isSecret, createSecret, SecretHashes } from './secrets.js'
import type { StoredHash } from './secrets.js'
import { pagesPath } from './session-guard.js'
import { codeLifeMs, sessionLifeMs } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'
import type { PortalCode } from './sessions.repository.js'
import { commandText } from '../platform/util/program.js'

@Injectable()
export class SignInTokens {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly cache: TokenCache,
    private readonly tokens: TokensRepository,
    private readonly commands: TokenCommands,
    private readonly sessions: SessionsRepository,
    private readonly hashes: SecretHashes,
  ) {}

  findByValue(value: string): Promise<Token | null> {
    return this.cache.findByValue(value)
  }

  findById(id: string): Promise<Token | null> {
    return this.cache.findById(id)
  }

  /** Prevents the revocation of the token until the transaction ends. */
  findForShare(tx: EntityManager, id: string): Promise<Token | null> {
    return this.tokens.findForShare(tx, id)
  }

  async findByCode(tx: EntityManager, code: string): Promise<Token | null> {
    const tokenId = isSecret(code)
      ? await this.sessions.useCode(tx, this.hashes.listPossible('code', code))
      : null
    if (tokenId === null) throw new Problem('invalid_code')
    return this.tokens.findForShare(tx, tokenId)
  }

  /** Deletes the code of a portal link and returns it. */
  async usePortalCode(tx: EntityManager, code: string): Promise<PortalCode> {
    const used = isSecret(code)
      ? await this.sessions.usePortalCode(tx, this.hashes.listPossible('portal code', code))
      : null
    if (!used) throw new Problem('invalid_code')
    return used
  }

  hashSession(value: string): StoredHash {
    return this.hashes.createStored('session', value)
  }

  hashPortalSession(value: string): StoredHash {
    return this.hashes.createStored('portal session', value)
  }

  /** Creates a URL that signs in once. The code is in the fragment, which browsers do not send to the server. */
  private async createUrl(tokenId: string): Promise<string> {
    const code = createSecret()
    await this.sessions.insertCode(this.hashes.createStored('code', code), tokenId)
    return `${this.settings.publicUrl}${pagesPath}#code=${code}`
  }

  /** Creates a sign-in URL for an existing token. Throws if the token cannot sign in. */
  async createUrlForToken(id: string): Promise<string> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.tokens.findById(tokenId))
    if (!token) throw new StartupError(`Token ${id} was not found. See: ${commandText('token list')}`)
    const problem = findTokenProblem(token)
    if (problem) throw new StartupError(`Token ${id} cannot sign in: ${problem.message.toLowerCase()}.`)
    return this.createUrl(token.id)
  }

  /**
   * Creates a sign-in URL for a new token with all scopes of a workspace. An operator's token also has `instance:read`.
   * The token expires with the longest session that the code can start.
   */
  async createUrlForNewToken(workspace: string, { isForOperator = false } = {}): Promise<string> {
    const { id } = await this.commands.create({
      workspace,
      name: 'dashboard',
      scopes: isForOperator ? scopes : undefined,
      lifeMs: codeLifeMs + sessionLifeMs,
    })
    return this.createUrlForToken(id)
  }
}
