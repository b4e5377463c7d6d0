/** An earlier release, built from its commit into a folder that is kept between runs. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

import { cacheFolder } from './generators.js'

const packages = 'node_modules'
const lockfile = 'package-lock.json'
/** A file in the folder of packages that are links. */
const linkedMark = '.linked'

/** Returns the commit of a release, or null if this checkout does not contain it. A checkout may lack tags. */
export function findReleaseCommit(version: string): string | null {
  const subject = `release: ${version}`
  const tagged = git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)
  if (tagged) return tagged
  const commits = git('log', '--format=%H %s', '--fixed-strings', '--grep', subject).split('\n')
  return commits.find((line) => line.slice(41) === subject)?.slice(0, 40) ?? null
}

/** Builds a release with its own scripts, and returns the path of its program. */
export function buildRelease(commit: string): string {
  // Checkouts do not share the folder, because it may contain links to their packages.
  const name = createHash('sha256')
    .update(`${commit} ${resolve('.')}`)
    .digest('hex')
    .slice(0, 16)
  const folder = join(cacheFolder, 'releases', name)
  if (!existsSync(folder)) extractCommit(commit, folder)
  // Links may lead to other versions than before.
  if (existsSync(join(folder, packages, linkedMark))) rmSync(join(folder, packages), { recursive: true })
  if (!existsSync(join(folder, packages)) && canLinkPackages(folder)) linkPackages(folder)
  // Installs the packages of its lockfile unless they are linked, and builds what is outdated.
  run(process.execPath, ['-e', `import('./scripts/fresh.js').then(({ makeFresh }) => makeFresh())`], folder)
  return join(folder, 'dist/main.js')
}

function extractCommit(commit: string, folder: string): void {
  const partial = `${folder}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  const archive = join(partial, 'release.tar')
  run('git', ['archive', '--output', archive, commit])
  run('tar', ['-xf', archive, '-C', partial])
  rmSync(archive)
  renameSync(partial, folder)
}

type Locked = Record<string, { version?: string; integrity?: string; link?: boolean }>

/** Whether this checkout has installed each package of the release in the same version. */
function canLinkPackages(folder: string): boolean {
  const read = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { packages: Locked }).packages
  const installed = read(join(packages, '.package-lock.json'))
  return Object.entries(read(join(folder, lockfile))).every(
    ([path, { version, integrity, link }]) =>
      !path.includes(`${packages}/`) ||
      link === true ||
      // Packages of other platforms are locked and not installed.
      !existsSync(path) ||
      (installed[path]?.version === version && installed[path]?.integrity === integrity),
  )
}

/** Links each package. The workspaces are those of the release. */
function linkPackages(folder: string): void {
  const target = join(folder, packages)
  mkdirSync(target)
  writeFileSync(join(target, linkedMark), '')
  const own = '@link-service'
  for (const name of readdirSync(packages))
    if (name !== own && !name.startsWith('.')) symlinkSync(resolve(packages, name), join(target, name))
  // The links to the workspaces are relative.
  cpSync(join(packages, own), join(target, own), { recursive: true, verbatimSymlinks: true })
  // Written last, because it tells the scripts of the release that all packages are installed.
  cpSync(join(packages, '.package-lock.json'), join(target, '.package-lock.json'))
}

function run(command: string, args: string[], cwd = '.'): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stdout + stderr}`)
}

function git(...args: string[]): string {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
}
