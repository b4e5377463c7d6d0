/** Commands that run the service or use its database. Each command loads only the code it needs, so it starts fast. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { exampleText, jsonOption, withOutput } from '../platform/command-line/output.js'
import type { Settings } from '../settings.js'
import { readEnvironment, withRunningUrl } from '../platform/config/env.js'
import { addBackupCommands } from './backup-commands.js'
import type { DeliveryCommands } from './delivery-commands.js'
import type { Operator } from './operator.js'
import type { WorkerCommands } from './worker-commands.js'

const workspaceOption = new Option(
  '--workspace <workspace>',
  'name or ID of the workspace (default: the workspace "default")',
)

export function addRoleCommands(program: Command): void {
  program
    .command('all')
    .description('Run the API and a worker in one process (default, unless ROLE is set)')
    .addHelpText('after', exampleText('all'))
    .action(() => serveAs('all'))
  program
    .command('api')
    .description('Run only the API')
    .addHelpText('after', exampleText('api'))
    .action(() => serveAs('api'))
  program
    .command('worker')
    .description('Run only a worker, which sends deliveries')
    .addHelpText('after', exampleText('worker'))
    .action(() => serveAs('worker'))
}

export function addOperatorCommands(program: Command): void {
  program
    .command('migrate')
    .description('Apply pending migrations')
    .addHelpText('after', exampleText('migrate'))
    .action(migrate)
  program
    .command('doctor')
    .description('Check the installation of a running or stopped service')
    .addOption(jsonOption)
    .addHelpText('after', exampleText('doctor'))
    .action(async (options) => {
      const { doctor } = await import('../tools/doctor/doctor.js')
      if (!(await doctor(readEnvironment, options))) process.exitCode = 1
    })
  addBackupCommands(program)
  program
    .command('accept-secrets')
    .description('Accept the current TOKEN_PEPPER and ENCRYPTION_KEY after the previous ones were lost')
    .addHelpText('after', exampleText('accept-secrets'))
    .action(acceptSecrets)
  program
    .command('dashboard')
    .description('Print a one-time URL that signs in to the dashboard')
    .option(
      '--token-id <id>',
      'token to sign in with (default: a new token with every scope; with --workspace, without instance:read)',
    )
    .addOption(workspaceOption)
    .addOption(jsonOption)
    .addHelpText('after', exampleText('dashboard'))
    .action((options) => operate((operator) => operator.openDashboard(options)))
  addTokenCommands(program.command('token').description('Create, list and revoke tokens').helpCommand(false))
  addWorkspaceCommands(
    program.command('workspace').description('Create and list workspaces').helpCommand(false),
  )
  const deliveries = program
    .command('deliveries')
    .description('Pause and resume the deliveries of all webhooks')
    .helpCommand(false)
  deliveries
    .command('pause')
    .description('Stop sending deliveries; events are still recorded, and their deliveries wait')
    .option('--reason <text>', 'reason, shown to the users of the service')
    .addHelpText('after', exampleText('deliveries pause --reason "Network maintenance until 14:00 UTC"'))
    .action((options) => controlDeliveries((deliveries) => deliveries.pause(options)))
  deliveries
    .command('resume')
    .description('Resume sending deliveries, including those that waited')
    .addHelpText('after', exampleText('deliveries resume'))
    .action(() => controlDeliveries((deliveries) => deliveries.resume()))
  const workers = program
    .command('workers')
    .description('List workers, and drain them before they are stopped')
    .helpCommand(false)
  withOutput(workers.command('list').description('List the running workers'))
    .addHelpText('after', exampleText('workers list'))
    .action((options) => controlWorkers((workers) => workers.list(options)))
  workers
    .command('drain')
    .description('Let a worker finish its requests without accepting new work, and wait until it is done')
    .argument('<worker>', 'ID of the worker, or the name of a host to drain all its workers')
    .addHelpText('after', exampleText('workers drain prc_01kaj3w0c5fq4t1n8v6z2b9y7m'))
    .action((idOrHost) => controlWorkers((workers) => workers.drain(idOrHost)))
  addKeyCommands(
    program.command('keys').description('Rotate ENCRYPTION_KEY and TOKEN_PEPPER').helpCommand(false),
  )
  program
    .command('journal')
    .description('Process the click journals of stopped processes')
    .helpCommand(false)
    .command('drain')
    .description('Write the clicks of stopped processes to the database')
    .argument('[folder]', 'folder of the journals (default: the folder "clicks" in DATA_DIR)')
    .addHelpText('after', exampleText('journal drain /mnt/old-volume/clicks'))
    .action(drainJournal)
  program
    .command('visitor')
    .description('Erase data that identifies a visitor')
    .helpCommand(false)
    .command('erase')
    .description('Erase the data that identifies the visitor of a click, from all their clicks of that day')
    .argument('<click>', 'ID of the click')
    .addHelpText('after', exampleText('visitor erase clk_01kaj4d0qae6svf0k9w3m7x2ht'))
    .action((click) => operate((operator) => operator.eraseVisitor(click)))
}

function addKeyCommands(keys: Command): void {
  keys
    .command('status')
    .description('Show what still needs an old secret')
    .addOption(jsonOption)
    .addHelpText('after', exampleText('keys status'))
    .action(async (options) => {
      const { showKeyStatus } = await import('./keys/key-commands.js')
      await showKeyStatus(readEnvironment(), options)
    })
  keys
    .command('rotate')
    .description(
      'Prepare new secrets in the data folder, or print the steps for secrets that you set yourself',
    )
    .argument('[setting]', 'ENCRYPTION_KEY or TOKEN_PEPPER (default: both)')
    .addHelpText('after', exampleText('keys rotate', 'keys rotate ENCRYPTION_KEY'))
    .action(async (setting) => {
      const { rotateKeys } = await import('./keys/key-commands.js')
      await rotateKeys(readEnvironment(), setting)
    })
  keys
    .command('finish')
    .description('Finish a rotation, and stop accepting the old secrets')
    .option('--yes', 'finish even if tokens, sessions or stored responses still need an old secret')
    .addHelpText('after', exampleText('keys finish'))
    .action(async (options) => {
      const { finishRotation } = await import('./keys/key-commands.js')
      await finishRotation(readEnvironment(), options)
    })
}

function addTokenCommands(token: Command): void {
  token
    .command('create')
    .description('Create a token, which is shown only once')
    .requiredOption('--name <name>', 'name of the token')
    .option(
      '--scopes <scopes>',
      'scopes of the token, such as links:read,links:write (default: all except instance:read)',
    )
    .option('--expires-in <duration>', 'lifetime in s, m, h, d or w, such as 30d (default: never expires)')
    .option(
      '--allowed-ips <networks>',
      'IP networks and addresses that the token can be used from, such as 203.0.113.0/24,2001:db8::/32',
    )
    .option('--not-before <time>', 'time from which the token is valid, such as 2026-03-01T00:00:00Z')
    .option('--rate-limit <rate>', 'maximum number of requests, such as 60/1m (default: RATE_LIMIT)')
    .option('--tags <tags>', 'the token can only access links with one of these tags, such as partner,sale')
    .addOption(workspaceOption)
    .addOption(jsonOption)
    .addHelpText('after', exampleText('token create --name deploy --scopes links:write --expires-in 90d'))
    .action((options) => operate((operator) => operator.createToken(options)))
  withOutput(
    token.command('list').description('List the active tokens of a workspace').addOption(workspaceOption),
  )
    .addHelpText('after', exampleText('token list --workspace marketing'))
    .action((options) => operate((operator) => operator.listTokens(options)))
  token
    .command('revoke')
    .description('Revoke a token, which stops working immediately')
    .argument('<id>', 'ID of the token')
    .addHelpText('after', exampleText('token revoke tok_01kaj3w0c5fq4t1n8v6z2b9y7m'))
    .action((id) => operate((operator) => operator.revokeToken(id)))
}

function addWorkspaceCommands(workspace: Command): void {
  workspace
    .command('create')
    .description('Create a workspace')
    .argument('<name>', 'name of the workspace')
    .addOption(jsonOption)
    .addHelpText('after', exampleText('workspace create marketing'))
    .action((name, options) => operate((operator) => operator.createWorkspace(name, options)))
  withOutput(workspace.command('list').description('List the workspaces'))
    .addHelpText('after', exampleText('workspace list'))
    .action((options) => operate((operator) => operator.listWorkspaces(options)))
}

async function drainJournal(folder: string | undefined): Promise<void> {
  const { drainJournals } = await import('./drain-journal.js')
  await drainJournals(readEnvironment(), folder)
}

async function serveAs(role: Settings['role']): Promise<void> {
  const { serve } = await import('./serve.js')
  await serve({ ...readEnvironment(), role })
}

async function operate(work: (operator: Operator) => Promise<void>): Promise<void> {
  const { Operator, runCommands } = await import('./operator.js')
  await runCommands(withRunningUrl(readEnvironment()), Operator, work)
}

async function controlDeliveries(work: (deliveries: DeliveryCommands) => Promise<void>): Promise<void> {
  const { runCommands } = await import('./operator.js')
  const { DeliveryCommands } = await import('./delivery-commands.js')
  await runCommands(withRunningUrl(readEnvironment()), DeliveryCommands, work)
}

async function controlWorkers(work: (workers: WorkerCommands) => Promise<void>): Promise<void> {
  const { runCommands } = await import('./operator.js')
  const { WorkerCommands } = await import('./worker-commands.js')
  await runCommands(withRunningUrl(readEnvironment()), WorkerCommands, work)
}

async function acceptSecrets(): Promise<void> {
  const { history } = await import('../migrations/history.js')
  const { replaceSecrets } = await import('../platform/database/open-database.js')
  await replaceSecrets(readEnvironment(), history)
  process.stdout.write('The database now uses the current secrets.\n')
}

async function migrate(): Promise<void> {
  const settings = readEnvironment()
  const { history } = await import('../migrations/history.js')
  const { runMigrations } = await import('../platform/database/data-source.js')
  const { directUrl, requireSession } = await import('../platform/database/pooler.js')
  const { migrateQueue } = await import('../platform/queue/schema.js')
  const { databaseUrl } = settings
  if (databaseUrl !== null) {
    const external = { ...settings, databaseUrl }
    await requireSession(external)
    const applied = await runMigrations(directUrl(external), history)
    if (await migrateQueue(external)) applied.push('queue migrations')
    process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'Nothing to apply.\n')
    return
  }
  const { openDatabase } = await import('../platform/database/open-database.js')
  const database = await openDatabase(settings, 'command', history)
  try {
    await migrateQueue(database.settings)
  } finally {
    await database.release()
  }
  process.stdout.write('The embedded database is up to date.\n')
}
