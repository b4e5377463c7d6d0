/** PostgreSQL refuses to run as root. This file chooses the user who does, and lets that user into root's folders. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { StartupError } from '../../config/startup-error.js'

export interface DatabaseUser {
  uid: number
  gid: number
  name: string
}

/** How to start one of PostgreSQL's programs as the right user. */
export interface Launch {
  user: DatabaseUser | null
  /** The words before the program on the command line. */
  prefix: readonly string[]
  ids: { uid?: number; gid?: number }
}

/** PostgreSQL gets none of the service's environment. It may hold secrets, and PG* variables change the server. */
export const launchEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }

/** Null when an ordinary user runs the service, because that user can run PostgreSQL too. */
export function databaseUser(cluster: string): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    // macOS writes nobody as -2.
    .filter(({ name, uid }) => name !== '' && uid > 0)
  const owner = existsSync(cluster) ? statSync(cluster).uid : 0
  const user =
    users.find(({ uid }) => uid === owner) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  if (!user)
    throw new StartupError(
      'PostgreSQL does not run as root, and there is neither a user postgres nor nobody. Start the service as an ordinary user, or set DATABASE_URL.',
    )
  return user
}

/** Checks by a trial that the program runs, so that all later steps can rely on it. */
export function prepareLaunch(user: DatabaseUser | null, postgres: string, folders: string[]): Launch {
  const closed = user && folders.find((folder) => !canEnter(user, folder))
  const launch: Launch = !user
    ? { user, prefix: [], ids: {} }
    : closed
      ? { user, prefix: throughClosedDoors(user), ids: {} }
      : { user, prefix: [], ids: { uid: user.uid, gid: user.gid } }

  const trial = runToEnd(launch, postgres, ['--version'])
  if (trial.status === 0) return endingWithParent(launch, postgres)
  if (closed)
    throw new StartupError(
      `PostgreSQL has to run as ${user.name}, who cannot enter ${closed}. Let others enter it (chmod o+x), or start the service as an ordinary user.`,
    )
  throw new StartupError(
    `The embedded PostgreSQL does not run on this machine: ${trial.output.replaceAll(/\s+/g, ' ')}. Set DATABASE_URL to use another one.`,
  )
}

/** Where the system can do that, a server whose supervisor is killed gets SIGINT at once, and stops in order. */
function endingWithParent(launch: Launch, postgres: string): Launch {
  const ending = { ...launch, prefix: [...launch.prefix, 'setpriv', '--pdeathsig', 'INT'] }
  const isKnown = process.platform === 'linux' && runToEnd(ending, postgres, ['--version']).status === 0
  return isKnown ? ending : launch
}

export function runToEnd(
  launch: Launch,
  program: string,
  args: string[],
): { status: number | null; output: string } {
  const [command = program, ...rest] = [...launch.prefix, program, ...args]
  const result = spawnSync(command, rest, {
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
 * Gives the user one capability and no other. It lets them pass folders that are closed to them, but not write files
 * there. Without `no_setuid_fixup`, access(2) would ignore the capability, and PostgreSQL looks for its own program
 * with access(2).
 */
function throughClosedDoors(user: DatabaseUser): string[] {
  const only = '-all,+dac_read_search'
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
