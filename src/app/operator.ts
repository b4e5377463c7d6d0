/** Commands for operators that use the database, whether or not the service is running. */
import { Inject, Injectable, Module } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

import { AuditModule } from '../audit/audit.module.js'
import { AuthModule } from '../auth/auth.module.js'
import { sortScopes, isScope, scopes as knownScopes } from '../auth/scopes.js'
import type { Scope } from '../auth/scopes.js'
import { TokenCommands } from '../auth/token-commands.js'
import { findRestrictionErrors } from '../auth/restrictions.dto.js'
import type { WantedRestrictions } from '../auth/restrictions.js'
import { lifetimeLimits, maxTokenNameLength } from '../auth/token.dto.js'
import type { TokenDto } from '../auth/token.dto.js'
import { VisitorErasure } from '../clicks/visitor-erasure.js'
import { DeliveryPauses } from '../deliveries/delivery-pause.js'
import { FanOut } from '../dispatch/fan-out.js'
import { WorkersRepository } from '../dispatch/workers.repository.js'
import { EventSink } from '../events/ports.js'
import { NoticeOutboxModule } from '../notices/notices.module.js'
import { history } from '../migrations/history.js'
import { parseDuration } from '../platform/config/duration.js'
import type { RunningSettings, Settings } from '../settings.js'
import { createLogger, NestLogger } from '../platform/util/logger.js'
import { GlobalModule } from '../platform/config/global.module.js'
import { StartupError, UsageError } from '../platform/config/startup-error.js'
import { DatabaseModule } from '../platform/database/database.module.js'
import { openExistingDatabase } from '../platform/database/open-database.js'
import type { OpenDatabase } from '../platform/database/open-database.js'
import { listText, print, printJson } from '../platform/command-line/output.js'
import type { OutputOptions } from '../platform/command-line/output.js'
import type { TableColumn } from '../platform/command-line/table.js'
import { isPlainText } from '../platform/http/input/fields.js'
import { HttpModule } from '../platform/http/http.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { SignInTokens } from '../sessions/sign-in-tokens.js'
import { WorkspaceDto } from '../workspaces/workspace.dto.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'
import { defaultWorkspace, WorkspacesService } from '../workspaces/workspaces.service.js'
import { commandText } from '../platform/util/program.js'
import { DeliveryCommands } from './delivery-commands.js'
import { ProcessesRepository } from './processes/processes.repository.js'
import { WorkerCommands } from './worker-commands.js'

/** Records events without announcing them: workers find the deliveries when they poll. */
@Module({
  imports: [NoticeOutboxModule],
  providers: [{ provide: EventSink, useValue: new FanOut({ wake: () => undefined }) }],
  exports: [EventSink, NoticeOutboxModule],
})
class QuietEventsModule {}

const OPEN_DATABASE = Symbol('OPEN_DATABASE')
type ShownDatabase = Pick<OpenDatabase, 'shownAs' | 'settings'>

/** The services that a single command needs, without the background work of a running service. */
@Module({})
class OperatorModule {
  static with(database: ShownDatabase): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        GlobalModule.forRoot(
          database.settings,
          DatabaseModule.forRoot(history),
          HttpModule,
          QuietEventsModule,
        ),
        AuditModule,
        AuthModule,
        WorkspacesModule,
        SessionsModule,
      ],
      providers: [
        { provide: OPEN_DATABASE, useValue: database },
        DeliveryCommands,
        DeliveryPauses,
        Operator,
        ProcessesRepository,
        VisitorErasure,
        WorkerCommands,
        WorkersRepository,
      ],
    }
  }
}

/** Runs a command with a provider that uses the configured database. */
export async function runCommands<Commands>(
  settings: Settings,
  type: Type<Commands>,
  work: (commands: Commands) => Promise<void>,
): Promise<void> {
  const database = await openExistingDatabase(settings, history)
  try {
    const app = await NestFactory.createApplicationContext(OperatorModule.with(database), {
      logger: new NestLogger(createLogger('warn')),
      abortOnError: false,
    })
    try {
      await work(app.get(type))
    } finally {
      await app.close()
    }
  } finally {
    await database.release()
  }
}

interface TokenOptions {
  name: string
  scopes?: string | undefined
  expiresIn?: string | undefined
  allowedIps?: string | undefined
  notBefore?: string | undefined
  rateLimit?: string | undefined
  tags?: string | undefined
}

interface OperatorOptions {
  workspace?: string | undefined
  json?: boolean | undefined
}

@Injectable()
export class Operator {
  constructor(
    private readonly tokens: TokenCommands,
    private readonly workspaces: WorkspacesService,
    private readonly visitors: VisitorErasure,
    private readonly signIns: SignInTokens,
    @Inject(OPEN_DATABASE) private readonly database: ShownDatabase,
  ) {}

  /** Printed by commands that create something, because `./data` is a different database in each folder. */
  private get databaseLine(): string {
    return `Using ${this.database.shownAs}:`
  }

  async openDashboard({
    tokenId: id,
    workspace,
    json,
  }: OperatorOptions & { tokenId?: string | undefined }): Promise<void> {
    if (this.database.settings.dashboard === 'off')
      throw new StartupError('The dashboard is off. Set DASHBOARD=on, then restart the service.')
    if (id !== undefined && workspace !== undefined)
      throw new UsageError('Use --token-id or --workspace, not both: a token belongs to one workspace.')
    const url =
      id === undefined
        ? await this.signIns.createUrlForNewToken(workspace ?? defaultWorkspace, {
            // The URL for a named workspace may be passed to its users, who must not get `instance:read`.
            isForOperator: workspace === undefined,
          })
        : await this.signIns.createUrlForToken(id)
    if (json) return printJson({ url })
    print('Open this URL in a browser within 10 minutes. It works once:', '', url)
  }

  async createToken({
    name,
    scopes,
    expiresIn,
    workspace = defaultWorkspace,
    json,
    ...options
  }: TokenOptions & OperatorOptions): Promise<void> {
    if (!isPlainText(name, 1, maxTokenNameLength))
      throw new UsageError(`--name must be 1 to ${maxTokenNameLength} characters long.`)
    const token = await this.tokens.create({
      workspace,
      name,
      scopes: scopes === undefined ? undefined : parseScopes(scopes),
      lifeMs: expiresIn === undefined ? null : 1000 * parseLifetime(expiresIn),
      restrictions: parseRestrictions(options, this.database.settings),
    })
    if (json) return printJson(token)
    print(this.databaseLine, describeToken(token), '', 'Token value, shown only once:', '', token.token)
  }

  async listTokens({
    workspace = defaultWorkspace,
    ...options
  }: Pick<OperatorOptions, 'workspace'> & OutputOptions): Promise<void> {
    const rows = await this.tokens.list(workspace)
    const ifEmpty = `Workspace "${workspace}" has no active tokens.`
    process.stdout.write(
      listText({ rows, columns: tokenColumns, document: { data: rows }, ifEmpty }, options),
    )
  }

  async revokeToken(id: string): Promise<void> {
    await this.tokens.revoke(id)
    print(`Revoked ${id}.`)
  }

  async eraseVisitor(click: string): Promise<void> {
    const count = await this.visitors.eraseVisitorOfClick(click)
    if (count === null)
      throw new StartupError(`Click ${click} was not found. Clicks older than CLICK_RETENTION are deleted.`)
    print(`Erased the data of the visitor from ${count} ${count === 1 ? 'click' : 'clicks'}.`)
  }

  async createWorkspace(name: string, { json }: OperatorOptions): Promise<void> {
    if (!isPlainText(name, 1, 100)) throw new UsageError('The name must be 1 to 100 characters long.')
    const created = await this.workspaces.create(name)
    if (!created)
      throw new StartupError(
        `A workspace named "${name}" already exists. See: ${commandText('workspace list')}`,
      )
    if (json) return printJson(WorkspaceDto.from(created))
    print(
      this.databaseLine,
      `Created workspace "${name}". Create a token for it: ${commandText(`token create --workspace ${JSON.stringify(name)} --name NAME`)}`,
    )
  }

  async listWorkspaces(options: OutputOptions): Promise<void> {
    const rows = (await this.workspaces.list()).map((workspace) => WorkspaceDto.from(workspace))
    const ifEmpty = 'There are no workspaces.'
    process.stdout.write(
      listText({ rows, columns: workspaceColumns, document: { data: rows }, ifEmpty }, options),
    )
  }
}

function parseScopes(list: string): Scope[] {
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isScope(name))
  if (unknown.length > 0)
    throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Valid scopes: ${knownScopes.join(', ')}.`)
  return sortScopes(names.filter(isScope))
}

/** The names of the options are those of the fields, such as `--allowed-ips` for `allowed_ips`. */
function parseRestrictions(
  { allowedIps, notBefore, rateLimit, tags }: Omit<TokenOptions, 'name'>,
  settings: RunningSettings,
): WantedRestrictions {
  const splitList = (text: string | undefined) => text?.split(',').map((each) => each.trim())
  const restrictions = {
    allowed_ips: splitList(allowedIps),
    not_before: notBefore,
    rate_limit: rateLimit,
    tags: splitList(tags),
  }
  const [error] = findRestrictionErrors(restrictions, settings)
  if (error && 'pointer' in error)
    throw new UsageError(`--${error.pointer.split('/').at(-1)!.replace('_', '-')}: ${error.detail}`)
  return restrictions
}

function parseLifetime(text: string): number {
  const seconds = parseDuration(text)
  const { min, max } = lifetimeLimits
  if (seconds === null || seconds < parseDuration(min)! || seconds > parseDuration(max)!)
    throw new UsageError(`--expires-in must be a duration such as 30d or 12h, from ${min} to ${max}.`)
  return seconds
}

const tokenColumns: TableColumn<TokenDto>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'value', value: ({ prefix, last4 }) => `${prefix}…${last4}`, dropOrder: 5 },
  { title: 'name', value: ({ name }) => name, kind: 'text' },
  { title: 'expires', value: ({ expires_at }) => expires_at ?? 'never', dropOrder: 4 },
  { title: 'last used', value: ({ last_used_at }) => last_used_at, dropOrder: 1 },
  { title: 'scopes', value: ({ scopes }) => scopes, kind: 'text', dropOrder: 3 },
  {
    title: 'restrictions',
    value: ({ restrictions }) => describeRestrictions(restrictions),
    kind: 'text',
    dropOrder: 2,
  },
]

const workspaceColumns: TableColumn<WorkspaceDto>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'created', value: ({ created_at }) => created_at, dropOrder: 1 },
  { title: 'name', value: ({ name }) => name, kind: 'text' },
]

function describeToken({ id, prefix, last4, name, scopes, expires_at, restrictions }: TokenDto): string {
  const restricted = restrictions ? `  restricted: ${describeRestrictions(restrictions)}` : ''
  return `${id}  ${prefix}…${last4}  ${name}  [${scopes.join(' ')}]  ${expires_at ? `expires ${expires_at}` : 'does not expire'}${restricted}`
}

/** Returns text such as `tags=partner rate_limit=60/1m`. */
function describeRestrictions(restrictions: TokenDto['restrictions']): string | null {
  if (!restrictions) return null
  return (Object.entries(restrictions) as [string, string | string[] | null][])
    .flatMap(([name, value]) => (value === null ? [] : `${name}=${[value].flat().join(',')}`))
    .join(' ')
}
