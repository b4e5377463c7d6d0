/** Commands that run the service or work on its database. Each loads only what it needs, so small ones start fast. */
import { command, jsonOption } from '../platform/command-line/command.js'
import type { Commands } from '../platform/command-line/command.js'
import type { Settings } from '../settings.js'
import type { Operator } from './operator.js'
import { readEnvironment } from '../platform/config/env.js'

const workspaceOption = {
  workspace: { value: 'WORKSPACE', text: 'its name or its id; the workspace default by default' },
} as const

export const roleCommands: Commands = {
  all: command({
    summary: 'Run the service: the API and the work behind it (the default, unless ROLE says otherwise)',
    example: 'all',
    run: () => serveAs('all'),
  }),
  api: command({ summary: 'Run the API alone', example: 'api', run: () => serveAs('api') }),
  worker: command({ summary: 'Run a worker, which sends', example: 'worker', run: () => serveAs('worker') }),
}

export const operatorCommands: Commands = {
  migrate: command({ summary: 'Apply pending migrations', example: 'migrate', run: runMigrations }),
  doctor: command({
    summary: 'Look for what is wrong, beside a running service or without it',
    options: jsonOption,
    example: 'doctor',
    run: async (options) => {
      const { doctor } = await import('../tools/doctor/doctor.js')
      if (!(await doctor(readEnvironment, options))) process.exitCode = 1
    },
  }),
  'accept-secrets': command({
    summary:
      'Use the database with the present TOKEN_PEPPER and ENCRYPTION_KEY, when the former ones are lost',
    example: 'accept-secrets',
    run: acceptNewSecrets,
  }),
  dashboard: command({
    summary: 'Print an address that signs in to the dashboard once',
    options: {
      'token-id': {
        value: 'ID',
        text: 'the token to sign in with; a new one with every scope by default (without instance:read where a workspace is named)',
      },
      ...workspaceOption,
      ...jsonOption,
    },
    example: 'dashboard',
    run: (options) => operate((operator) => operator.openDashboard(options)),
  }),
  'token create': command({
    summary: 'Make a token, and show it this once',
    options: {
      name: { value: 'NAME', text: 'a label for people' },
      scopes: {
        value: 'a,b',
        text: 'what it may do, such as links:read,links:write; everything but instance:read by default',
      },
      'expires-in': { value: '30d', text: 'when it ends: a number and s, m, h, d or w; never by default' },
      ...workspaceOption,
      ...jsonOption,
    },
    example: 'token create --name deploy --scopes links:write --expires-in 90d',
    run: (options) => operate((operator) => operator.createToken(options)),
  }),
  'token list': command({
    summary: 'List the active tokens of a workspace',
    options: { ...workspaceOption, ...jsonOption },
    example: 'token list --workspace marketing',
    run: (options) => operate((operator) => operator.listTokens(options)),
  }),
  'token revoke': command({
    summary: 'End a token at once',
    operands: ['ID'],
    example: 'token revoke tok_01kaj3w0c5fq4t1n8v6z2b9y7m',
    run: (_options, id) => operate((operator) => operator.revokeToken(id)),
  }),
  'workspace create': command({
    summary: 'Make a workspace',
    operands: ['NAME'],
    options: jsonOption,
    example: 'workspace create marketing',
    run: (options, name) => operate((operator) => operator.createWorkspace(name, options)),
  }),
  'workspace list': command({
    summary: 'List the workspaces',
    options: jsonOption,
    example: 'workspace list',
    run: (options) => operate((operator) => operator.listWorkspaces(options)),
  }),
  'journal drain': command({
    summary: 'Write the clicks of stopped processes to the database',
    operands: ['[DIR]'],
    example: 'journal drain /mnt/old-volume/clicks',
    run: (_options, folder) => drainJournal(folder),
  }),
  'visitor erase': command({
    summary: 'Forget who made a click, and all others of that visitor on that day',
    operands: ['CLICK_ID'],
    example: 'visitor erase clk_01kaj4d0qae6svf0k9w3m7x2ht',
    run: (_options, click) => operate((operator) => operator.eraseVisitor(click)),
  }),
}

async function drainJournal(folder: string | undefined): Promise<void> {
  const { drain } = await import('./drain-journal.js')
  await drain(readEnvironment(), folder)
}

async function serveAs(role: Settings['role']): Promise<void> {
  const { serve } = await import('./serve.js')
  await serve({ ...readEnvironment(), role })
}

async function operate(work: (operator: Operator) => Promise<void>): Promise<void> {
  const { asOperator } = await import('./operator.js')
  await asOperator(readEnvironment(), work)
}

async function acceptNewSecrets(): Promise<void> {
  const { history } = await import('../migrations/history.js')
  const { replaceSecrets } = await import('../platform/database/open-database.js')
  await replaceSecrets(readEnvironment(), history)
  process.stdout.write('The database is used with the present secrets from now on.\n')
}

async function runMigrations(): Promise<void> {
  const given = readEnvironment()
  const { history } = await import('../migrations/history.js')
  const { migrate } = await import('../platform/database/data-source.js')
  const { directUrl, requireSession } = await import('../platform/database/pooler.js')
  const { migrateQueue } = await import('../platform/queue/schema.js')
  const { databaseUrl } = given
  if (databaseUrl !== null) {
    const addresses = { ...given, databaseUrl }
    await requireSession(addresses)
    const applied = await migrate(directUrl(addresses), history)
    if (await migrateQueue(addresses)) applied.push("the queue's own")
    process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'Nothing to apply.\n')
    return
  }
  const { openDatabase } = await import('../platform/database/open-database.js')
  const database = await openDatabase(given, 'command', history)
  try {
    await migrateQueue(database.settings)
  } finally {
    await database.release()
  }
  process.stdout.write('The embedded database is up to date.\n')
}
