/** The tokens that people sign in with: by their value, or by a code that stands for one. */
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
import { refusalOf } from '../auth/caller.js'
import { codeLifeMs, lifeMs } from './limits.js'
import { pagesPath } from './session-guard.js'
import { isSecret, makeRandomText, SecretHashes } from './secrets.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SignInTokens {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly tokens: TokenCache,
    private readonly stored: TokensRepository,
    private readonly commands: TokenCommands,
    private readonly sessions: SessionsRepository,
    private readonly hashes: SecretHashes,
  ) {}

  byValue(value: string): Promise<Token | null> {
    return this.tokens.find(value)
  }

  byId(id: string): Promise<Token | null> {
    return this.tokens.findById(id)
  }

  async byCode(tx: EntityManager, code: string): Promise<Token | null> {
    const tokenId = isSecret(code) ? await this.sessions.useCode(tx, this.hashes.of('code', code)) : null
    if (tokenId === null) throw new Problem('invalid_code')
    return this.stored.findForShare(tx, tokenId)
  }

  hashOfSession(value: string): Buffer {
    return this.hashes.of('session', value)
  }

  /** Makes an address that signs in once. Its code is in the fragment, which browsers send to nobody. */
  private async addressFor(tokenId: string): Promise<string> {
    const code = makeRandomText()
    await this.sessions.insertCode(this.hashes.of('code', code), tokenId)
    return `${this.settings.publicUrl}${pagesPath}#code=${code}`
  }

  /** The address for a token by its public id. Throws if the token cannot sign in. */
  async addressForNamed(id: string): Promise<string> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.stored.findAnywhere(tokenId))
    if (!token) throw new StartupError(`There is no token ${id}. See: link-service token list`)
    const refused = refusalOf(token)
    if (refused) throw new StartupError(`The token ${id} cannot sign in: ${refused.message.toLowerCase()}.`)
    return this.addressFor(token.id)
  }

  /**
   * The address for a new token with every scope of a workspace. An operator's token also has `instance:read`.
   * The token ends with the longest session that its code can start, because nobody needs it after that.
   */
  async addressForNew(workspace: string, { isForOperator = false } = {}): Promise<string> {
    const { id } = await this.commands.create({
      workspace,
      name: 'dashboard',
      scopes: isForOperator ? scopes : undefined,
      lifeMs: codeLifeMs + lifeMs,
    })
    return this.addressForNamed(id)
  }
}
