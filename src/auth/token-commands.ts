/** Tokens from the command line: the operator, who may do everything, in any workspace. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { parseDuration } from '../platform/config/duration.js'
import { StartupError, UsageError } from '../platform/config/startup-error.js'
import { decodeId, newId, timeOf } from '../platform/database/ids.js'
import { lockFor } from '../platform/database/locks.js'
import { isPlainText } from '../platform/http/input/fields.js'
import type { Workspace } from '../workspaces/workspace.entity.js'
import { defaultWorkspace, WorkspacesService } from '../workspaces/workspaces.service.js'
import { inOrder, isScope, scopes, workspaceScopes } from './scopes.js'
import type { Scope } from './scopes.js'
import { TokenMinter } from './token-minter.js'
import { TokenRevocation } from './token-revocation.js'
import { NewTokenDto, TokenDto } from './token.dto.js'
import { TokensRepository } from './tokens.repository.js'

const shortest = 60
const longest = 365 * 86_400

@Injectable()
export class TokenCommands {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly tokens: TokensRepository,
    private readonly minter: TokenMinter,
    private readonly revocation: TokenRevocation,
  ) {}

  async create(
    workspaceName: string,
    name: string,
    scopeList: string | undefined,
    expiresIn: string | undefined,
  ): Promise<NewTokenDto> {
    if (!isPlainText(name, 1, 100)) throw new UsageError('--name must have 1 to 100 characters.')
    const wanted = scopeList === undefined ? workspaceScopes : readScopes(scopeList)
    const id = newId()
    const expiresAt = expiresIn === undefined ? null : readExpiry(timeOf(id), expiresIn)
    const workspace = await this.workspace(workspaceName)
    const { token, value } = this.minter.make({
      id,
      workspaceId: workspace.id,
      name,
      scopes: wanted,
      expiresAt,
      createdBy: null,
      rotatedFrom: null,
    })
    await this.tokens.insert(operatorIn(workspace.id), token, null)
    return NewTokenDto.of(token, value)
  }

  async list(workspaceName: string): Promise<TokenDto[]> {
    const workspace = await this.workspace(workspaceName)
    const rows = await this.tokens.listActive(workspace.id, null, null)
    return rows.map((token) => TokenDto.from(token))
  }

  async revoke(id: string): Promise<void> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.tokens.findAnywhere(tokenId))
    if (!token) throw new StartupError(`There is no token ${id}. See: link-service token list`)
    await this.revocation.revoke(operatorIn(token.workspaceId), token.id)
  }

  private async workspace(name: string): Promise<Workspace> {
    const workspace = await this.workspaces.find(name)
    if (!workspace) throw new StartupError(`There is no workspace ${name}. See: link-service workspace list`)
    return workspace
  }
}

function operatorIn(workspaceId: string): {
  tokenId: null
  workspaceId: string
  address: null
  requestId: null
} {
  return { tokenId: null, workspaceId, address: null, requestId: null }
}

function readScopes(list: string): Scope[] {
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isScope(name))
  if (unknown.length > 0)
    throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Known are: ${scopes.join(', ')}.`)
  return inOrder(names.filter(isScope))
}

function readExpiry(start: Date, text: string): Date {
  const seconds = parseDuration(text)
  if (seconds === null || seconds < shortest || seconds > longest)
    throw new UsageError('--expires-in must be a whole number and a unit, like 30d or 12h, from 60s to 365d.')
  return new Date(start.getTime() + seconds * 1000)
}

@Injectable()
export class FirstToken {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly commands: TokenCommands,
  ) {}

  /** A token for everything, when there has never been one; of several processes that start at once, one makes it. */
  async make(): Promise<NewTokenDto | null> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.firstStart])
      if (await this.tokens.exist()) return null
      return this.commands.create(defaultWorkspace, 'first token', scopes.join(), undefined)
    })
  }
}
