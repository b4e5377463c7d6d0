/** PostgreSQL refuses to run as root. Chooses another user, and gives this user access to root's folders. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { StartupError } from '../../config/startup-error.js'

export interface DatabaseUser {
  uid: number
  gid: number
  name: string
}

/** How to start PostgreSQL's programs as this user. */
export interface Launch {
  user: DatabaseUser | null
  /** Arguments before the program on the command line. */
  prefix: readonly string[]
  ids: { uid?: number; gid?: number }
}

/** PostgreSQL does not inherit the environment, which may contain secrets and PG* variables. */
export const launchEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }

/** Returns the user for PostgreSQL. Null if the service does not run as root: the same user then runs PostgreSQL. */
export function databaseUser(cluster: string): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    // On macOS, the user ID of `nobody` is -2.
    .filter(({ name, uid }) => name !== '' && uid > 0)
  const owner = existsSync(cluster) ? statSync(cluster).uid : 0
  const user =
    users.find(({ uid }) => uid === owner) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  if (!user)
    throw new StartupError(
      'PostgreSQL does not run as root, and this machine has neither the user postgres nor the user nobody. Start the service as an ordinary user, or set DATABASE_URL.',
    )
  return user
}

/**
 * Capabilities that let a user enter any folder, the preferred one first. Containers usually have only the second one,
 * which also allows writing.
 */
const capabilities = ['dac_read_search', 'dac_override']

/** Chooses how to start PostgreSQL, and checks that the program runs. */
export function prepareLaunch(user: DatabaseUser | null, postgres: string, folders: string[]): Launch {
  const closed = user && folders.find((folder) => !canEnter(user, folder))
  const launches: Launch[] = !user
    ? [{ user, prefix: [], ids: {} }]
    : closed
      ? capabilities.map((capability) => ({ user, prefix: enterAnyFolder(user, capability), ids: {} }))
      : [{ user, prefix: [], ids: { uid: user.uid, gid: user.gid } }]

  let output = ''
  for (const launch of launches) {
    const trial = runToEnd(launch, postgres, ['--version'])
    if (trial.status === 0) return endingWithParent(launch, postgres)
    output = trial.output
  }
  if (closed)
    throw new StartupError(
      `PostgreSQL must run as the user ${user.name}, who has no access to ${closed}. Grant access (chmod o+x), or start the service as an ordinary user.`,
    )
  throw new StartupError(
    `The embedded PostgreSQL does not run on this machine: ${output.replaceAll(/\s+/g, ' ')}. Set DATABASE_URL to use another database.`,
  )
}

/** On Linux with `setpriv`, a server whose supervisor is killed gets SIGINT and shuts down cleanly. */
function endingWithParent(launch: Launch, postgres: string): Launch {
  const ending = { ...launch, prefix: [...launch.prefix, 'setpriv', '--pdeathsig', 'INT'] }
  const isSupported = process.platform === 'linux' && runToEnd(ending, postgres, ['--version']).status === 0
  return isSupported ? ending : launch
}

export function runToEnd(
  launch: Launch,
  program: string,
  args: string[],
): { status: number | null; output: string } {
  const [command = program, ...commandArgs] = [...launch.prefix, program, ...args]
  const result = spawnSync(command, commandArgs, {
    ...launch.ids,
    cwd: '/',
    env: launchEnvironment,
    encoding: 'utf8',
  })
  return {
    status: result.status,
    output: result.error?.message ?? (`${result.stdout}\n${result.stderr}`.trim() || String(result.signal)),
  }
}

/**
 * Returns a command prefix that gives the user a single capability. Without `no_setuid_fixup`, access(2) would ignore
 * it, and PostgreSQL finds its own program with access(2).
 */
function enterAnyFolder(user: DatabaseUser, capability: string): string[] {
  const only = `-all,+${capability}`
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
    `--bounding-set=${only}`,
    '--securebits=+no_setuid_fixup',
  ]
}

function canEnter(user: DatabaseUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  const parent = dirname(folder)
  return (mode & bit) !== 0 && (parent === folder || canEnter(user, parent))
}
