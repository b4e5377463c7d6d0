/** Starts the API in this process on a free port. With ROLE=all in `env`, also starts the background work. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { createApp } from '../../src/app/app.js'
import type { WantedRestrictions } from '../../src/auth/restrictions.js'
import { type Scope, sortScopes } from '../../src/auth/scopes.js'
import { TokenCommands } from '../../src/auth/token-commands.js'
import { parseDuration } from '../../src/platform/config/duration.js'
import { readSettings } from '../../src/platform/config/env.js'
import { createLogger } from '../../src/platform/util/logger.js'
import type { RunningSettings } from '../../src/settings.js'
import { defaultWorkspace, WorkspacesService } from '../../src/workspaces/workspaces.service.js'
import { createEnvironment, encryptionKey, pepper } from './built/test-settings.js'
import { createDatabase } from './database.js'
import type { TestDatabase } from './database.js'
import { differences } from './openapi/document.js'

export { encryptionKey, pepper }

export interface Service {
  app: NestFastifyApplication
  db: TestDatabase
  origin: string
  /** A token with every scope for the default workspace, which is not shared with other spec files. */
  token: string
  tokenId: string
  call(method: string, path: string, options?: CallOptions): Promise<ServiceResponse>
  mint(
    scopes?: string,
    workspace?: string,
    expiresIn?: string,
    restrictions?: WantedRestrictions,
  ): Promise<{ id: string; token: string }>
  /** Creates another workspace, for which `mint` can create tokens. */
  addWorkspace(name: string): Promise<void>
  /** Returns the name that a workspace of the spec has in the database. */
  workspaceFor(name: string): string
  stop(): Promise<void>
}

export interface CallOptions {
  token?: string | null
  body?: unknown
  raw?: string | Uint8Array
  headers?: Record<string, string>
  /** Set for requests that are not checked against openapi.json. */
  undocumented?: boolean
}

export interface ServiceResponse {
  status: number
  headers: Headers
  body: any
  text: string
}

interface StartOptions {
  env?: Record<string, string>
  db?: TestDatabase
  /** Receives all log lines at every level. */
  onLog?: (text: string) => void
}

export async function startService({ env = {}, db: sharedDb, onLog }: StartOptions = {}): Promise<Service> {
  const db = sharedDb ?? (await createDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'link-service-spec-'))
  const settings: RunningSettings = {
    ...readSettings({ ...createEnvironment(dataDir), ...env }),
    databaseUrl: db.url,
    tokenPepper: env['TOKEN_PEPPER'] ?? pepper,
    encryptionKey: env['ENCRYPTION_KEY'] ?? encryptionKey,
  }
  const app = await createApp(
    settings,
    onLog ? createLogger('trace', { write: onLog }) : createLogger(settings.logLevel),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  return createService(
    app,
    db,
    (name) => name,
    async () => {
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
      if (!sharedDb) await db.drop()
    },
  )
}

/** A running service. Workspace names are mapped, so that spec files do not share workspaces. */
export async function createService(
  app: NestFastifyApplication,
  db: TestDatabase,
  workspaceFor: (name: string) => string,
  stop: () => Promise<void>,
): Promise<Service> {
  const origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`
  const commands = app.get(TokenCommands)
  const workspaces = app.get(WorkspacesService)
  const addWorkspace = async (name: string) => {
    await workspaces.create(workspaceFor(name))
  }
  const mint = async (
    scopes?: string,
    workspace: string = defaultWorkspace,
    expiresIn?: string,
    restrictions?: WantedRestrictions,
  ) => {
    const { id, token } = await commands.create({
      workspace: workspaceFor(workspace),
      name: 'a test token',
      scopes: scopes === undefined ? undefined : sortScopes(scopes.split(',') as Scope[]),
      lifeMs: expiresIn === undefined ? null : 1000 * parseDuration(expiresIn)!,
      restrictions,
    })
    // Specs that count events expect only those of their own actions.
    await db.query(`DELETE FROM events WHERE type = 'token.created' AND position($1 IN body) > 0`, [id])
    return { id, token }
  }
  await addWorkspace(defaultWorkspace)
  const first = await mint()

  return {
    app,
    db,
    origin,
    token: first.token,
    tokenId: first.id,
    mint,
    addWorkspace,
    workspaceFor,
    call: (method, path, options = {}) => call(origin, method, path, { token: first.token, ...options }),
    stop,
  }
}

const isEndless = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream')

/** Reads the first event or comment, and closes the stream. */
async function readBeginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (body)
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.endsWith('\n\n')) break
    }
  return text
}

/** Sends a request, and fails if the response does not match openapi.json. */
export async function call(
  origin: string,
  method: string,
  path: string,
  { token, body, raw, headers = {}, undocumented = !isDocumented(method, path) }: CallOptions,
): Promise<ServiceResponse> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(origin + (path.startsWith('/v1') ? `/api${path}` : path), {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = isEndless(response) ? await readBeginning(response) : await response.text()
  // NDJSON is not parsed, because it contains many documents.
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  const received: ServiceResponse = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : null,
  }
  if (!undocumented) expectDocumented(method, path.replace(/^\/dashboard\/api/, ''), received)
  return received
}

/** The API path of the dashboard, probes and metrics are also checked against the document. */
function isDocumented(method: string, path: string): boolean {
  if (/^\/(?:healthz|readyz|metrics)$/.test(path)) return method === 'GET'
  return /^(?:\/dashboard\/api)?\/v1\//.test(path)
}

/** Fails if the response does not match openapi.json. */
export function expectDocumented(method: string, path: string, response: ServiceResponse): void {
  const wrong = differences(method, path, response)
  if (wrong.length === 0) return
  const [few, start] = [wrong.slice(0, 5).join('; '), response.text.slice(0, 2_000)]
  throw new Error(`${method} ${path}: ${few}.\nThe response: ${response.status} ${start}`)
}
