/** The commands of the binary, and how their words are read. Each loads what it needs, so that small ones start at once. */
import { writeFileSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'

import { environment, readSettings } from '../platform/config/env.js'
import type { Settings } from '../platform/config/env.js'
import { envExample, settingsPage } from '../platform/config/settings-reference.js'
import { StartupError, UsageError } from '../platform/config/startup-error.js'
import { version } from '../platform/http/version.js'
import type { Operator } from './operator.js'

const usage = `link-service ${version}

  link-service [all|api|worker]          run the service (default: ROLE, or all)
  link-service migrate                   apply pending migrations
  link-service doctor [--json]           look for what is wrong, beside a running service or without it
  link-service token create --name NAME [--scopes a,b] [--expires-in 30d] [--workspace NAME] [--json]
  link-service token list [--workspace NAME] [--json]
  link-service token revoke ID
  link-service workspace create NAME [--json]
  link-service workspace list [--json]
  link-service visitor erase CLICK_ID    forget who made a click, and all others of that visitor on that day
  link-service listen --forward-to URL [--events link.created,click] [--from now|start|CURSOR]
                      [--token lsk_…] [--api http://localhost:3000/api] [--secret whsec_…] [--json]
                                         send a workspace's events to a receiver on your machine
  link-service stats [SLUG] [--last 24h|7d|30d|90d|12mo|all] [--by time|country|…] [--timezone ZONE]
                     [--token lsk_…] [--api http://localhost:3000/api] [--json|--csv]
                                         show how many clicks there were, of a workspace or of one link
  link-service openapi [--check]         write the OpenAPI document, or compare the committed one
  link-service settings [--check]        write the settings pages, or compare the committed ones
`

const words = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  'expires-in': { type: 'string' },
  workspace: { type: 'string' },
  token: { type: 'string' },
  events: { type: 'string' },
  'forward-to': { type: 'string' },
  api: { type: 'string' },
  from: { type: 'string' },
  secret: { type: 'string' },
  last: { type: 'string' },
  by: { type: 'string' },
  timezone: { type: 'string' },
  csv: { type: 'boolean' },
  json: { type: 'boolean' },
  check: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options']

type Options = ReturnType<typeof parseArgs<{ options: typeof words; allowPositionals: true }>>['values']

interface Command {
  /** How many words follow the command's own. */
  operands: number
  /** Whether they may be left out. */
  areOptional?: true
  options: readonly (keyof Options)[]
  run(options: Options, operands: string[]): Promise<void> | void
}

const commands: Record<string, Command> = {
  all: { operands: 0, options: [], run: () => run('all') },
  api: { operands: 0, options: [], run: () => run('api') },
  worker: { operands: 0, options: [], run: () => run('worker') },
  migrate: { operands: 0, options: [], run: runMigrations },
  doctor: { operands: 0, options: ['json'], run: runDoctor },
  'token create': {
    operands: 0,
    options: ['name', 'scopes', 'expires-in', 'workspace', 'json'],
    run: (options) => operate((operator) => operator.createToken(options)),
  },
  'token list': {
    operands: 0,
    options: ['workspace', 'json'],
    run: (options) => operate((operator) => operator.listTokens(options)),
  },
  'token revoke': {
    operands: 1,
    options: [],
    run: (_options, [id = '']) => operate((operator) => operator.revokeToken(id)),
  },
  'workspace create': {
    operands: 1,
    options: ['json'],
    run: (options, [name = '']) => operate((operator) => operator.createWorkspace(name, options)),
  },
  'workspace list': {
    operands: 0,
    options: ['json'],
    run: (options) => operate((operator) => operator.listWorkspaces(options)),
  },
  'visitor erase': {
    operands: 1,
    options: [],
    run: (_options, [click = '']) => operate((operator) => operator.eraseVisitor(click)),
  },
  listen: {
    operands: 0,
    options: ['token', 'events', 'forward-to', 'api', 'from', 'secret', 'json'],
    run: async (options) => {
      const { listen } = await import('../tools/listen/listen.js')
      await listen(options, environment()['LINK_SERVICE_TOKEN'])
    },
  },
  stats: {
    operands: 1,
    areOptional: true,
    options: ['token', 'api', 'last', 'by', 'timezone', 'json', 'csv'],
    run: async (options, [slug]) => {
      const { stats } = await import('../tools/stats/stats.js')
      await stats(slug, options, environment()['LINK_SERVICE_TOKEN'])
    },
  },
  openapi: {
    operands: 0,
    options: ['check'],
    run: async ({ check }) => {
      const { openApiText } = await import('./openapi-file.js')
      keep({ 'openapi.json': await openApiText() }, check)
    },
  },
  settings: {
    operands: 0,
    options: ['check'],
    run: ({ check }) => keep({ 'docs/settings.md': settingsPage(), '.env.example': envExample() }, check),
  },
}

export async function runCommand(argv: string[]): Promise<void> {
  const { values, positionals } = read(argv)
  if (values.help) return void process.stdout.write(usage)
  if (values.version) return void process.stdout.write(`${version}\n`)
  if (positionals.length === 0) positionals.push(settings().role)

  const name = [positionals.slice(0, 2).join(' '), positionals[0] ?? ''].find((candidate) =>
    Object.hasOwn(commands, candidate),
  )
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command)
    throw new UsageError(`There is no command ${positionals.join(' ')}.\n\n${usage}`)
  const operands = positionals.slice(name.split(' ').length)
  const foreign = Object.keys(values).find(
    (option) => !(command.options as readonly string[]).includes(option),
  )
  if (foreign !== undefined)
    throw new UsageError(`${name} has no option --${foreign}. See: link-service --help`)
  const isLeftOut = command.areOptional && operands.length === 0
  if ((operands.length !== command.operands && !isLeftOut) || operands.includes(''))
    throw new UsageError(
      `${name} takes ${command.operands === 0 ? 'no further word' : 'one word'}. See: link-service --help`,
    )
  await command.run(values, operands)
}

function read(argv: string[]): { values: Options; positionals: string[] } {
  try {
    return parseArgs({ args: argv, options: words, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('\n')[0]} See: link-service --help`)
  }
}

function settings(): Settings {
  return readSettings(environment())
}

async function run(role: Settings['role']): Promise<void> {
  const { serve } = await import('./serve.js')
  await serve({ ...settings(), role })
}

async function operate(work: (operator: Operator) => Promise<void>): Promise<void> {
  const { asOperator } = await import('./operator.js')
  await asOperator(settings(), work)
}

async function runMigrations(): Promise<void> {
  const given = settings()
  const { migrate } = await import('../platform/database/migrate.js')
  const { migrateQueue } = await import('../platform/queue/schema.js')
  const { databaseUrl } = given
  if (databaseUrl !== null) {
    const applied = await migrate(databaseUrl)
    if (await migrateQueue({ ...given, databaseUrl })) applied.push("the queue's own")
    process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'Nothing to apply.\n')
    return
  }
  const { openDatabase } = await import('../platform/database/open-database.js')
  const database = await openDatabase(given, 'command')
  try {
    await migrateQueue(database.settings)
  } finally {
    await database.release()
  }
  process.stdout.write('The embedded database is up to date.\n')
}

async function runDoctor(options: Options): Promise<void> {
  const { doctor } = await import('../tools/doctor/doctor.js')
  if (!(await doctor(options))) process.exitCode = 1
}

/** Writes generated files, or fails when a committed one says something else. */
function keep(files: Record<string, string>, check = false): void {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(path)
    if (!check) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      throw new StartupError(
        `${path} is out of date. Write it again: node dist/main.js ${path === 'openapi.json' ? 'openapi' : 'settings'}`,
      )
  }
}
