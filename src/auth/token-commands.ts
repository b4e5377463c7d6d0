/** Token commands of the operator, who has access to every workspace. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { withoutToken } from '../audit/audit.service.js'
import { StartupError } from '../platform/config/startup-error.js'
import { decodeId, newId, getIdTime } from '../platform/database/ids.js'
import { lockFor } from '../platform/database/locks.js'
import type { Workspace } from '../workspaces/workspace.entity.js'
import { defaultWorkspace, WorkspacesService } from '../workspaces/workspaces.service.js'
import { scopes, workspaceScopes } from './scopes.js'
import { completeRestrictions } from './restrictions.js'
import type { WantedRestrictions } from './restrictions.js'
import type { Scope } from './scopes.js'
import { TokenMinter } from './token-minter.js'
import { TokenRevocation } from './token-revocation.js'
import { NewTokenDto, TokenDto } from './token.dto.js'
import { TokensRepository } from './tokens.repository.js'
import { commandText } from '../platform/util/program.js'

/** A token to create from the command line. */
interface WantedToken {
  /** Name of the workspace. */
  workspace: string
  name: string
  /** Default: all workspace scopes. */
  scopes?: readonly Scope[] | undefined
  /** Lifetime. Absent or null: no expiry. */
  lifeMs?: number | null
  restrictions?: WantedRestrictions | undefined
}

@Injectable()
export class TokenCommands {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly workspaces: WorkspacesService,
    private readonly tokens: TokensRepository,
    private readonly minter: TokenMinter,
    private readonly revocation: TokenRevocation,
  ) {}

  async create({ workspace, ...wanted }: WantedToken): Promise<NewTokenDto> {
    const found = await this.findWorkspace(workspace)
    return this.dataSource.transaction((tx) => this.createIn(tx, found, wanted))
  }

  async createIn(
    tx: EntityManager,
    workspace: Workspace,
    { name, scopes = workspaceScopes, lifeMs = null, restrictions }: Omit<WantedToken, 'workspace'>,
  ): Promise<NewTokenDto> {
    const id = newId()
    const expiresAt = lifeMs === null ? null : new Date(getIdTime(id).getTime() + lifeMs)
    const { token, value } = this.minter.mintToken({
      id,
      workspaceId: workspace.id,
      name,
      scopes,
      expiresAt,
      restrictions: completeRestrictions(restrictions, null),
      createdBy: null,
      rotatedFrom: null,
    })
    await this.tokens.insertToken(tx, withoutToken(workspace.id), token)
    return NewTokenDto.withValue(token, value)
  }

  async list(workspaceName: string): Promise<TokenDto[]> {
    const workspace = await this.findWorkspace(workspaceName)
    const rows = await this.tokens.listActive(
      { workspaceId: workspace.id, tokenId: null, tags: null },
      null,
      null,
    )
    return rows.map((token) => TokenDto.fromToken(token))
  }

  async revoke(id: string): Promise<void> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.tokens.findById(tokenId))
    if (!token) throw new StartupError(`Token ${id} was not found. See: ${commandText('token list')}`)
    await this.revocation.revoke(withoutToken(token.workspaceId), token.id)
  }

  async findWorkspace(name: string): Promise<Workspace> {
    const workspace = await this.workspaces.find(name)
    if (!workspace)
      throw new StartupError(`Workspace "${name}" was not found. See: ${commandText('workspace list')}`)
    return workspace
  }
}

@Injectable()
export class FirstToken {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly commands: TokenCommands,
  ) {}

  /** Returns whether no token has ever been created. */
  async isMissing(): Promise<boolean> {
    return !(await this.tokens.hasTokens())
  }

  /** Creates a token with every scope if no token was ever created. A lock ensures that only one process does so. */
  async createIfMissing(): Promise<NewTokenDto | null> {
    if (await this.tokens.hasTokens()) return null
    const workspace = await this.commands.findWorkspace(defaultWorkspace)
    return this.dataSource.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.firstStart])
      if (await this.tokens.hasTokens(tx)) return null
      return this.commands.createIn(tx, workspace, { name: 'first token', scopes })
    })
  }
}
