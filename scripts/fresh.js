/** Sees to it that node_modules is what package-lock.json says, and dist what the sources say. By content: times lie. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { oneAtATime } from './one-at-a-time.js'

export const root = fileURLToPath(new URL('..', import.meta.url))

const installed = join(root, 'node_modules/.package-lock.json')
const builtFrom = join(root, 'dist/.built-from')

/** All that is said and shown here goes to standard error: standard output belongs to the command that follows. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

export async function makeFresh() {
  refuseOldNode()
  if ((await isInstalled()) && (await isBuilt())) return
  await oneAtATime(
    join(root, '.making-fresh'),
    async (share) => {
      if (!(await isInstalled())) await install(share)
      if (!(await isBuilt())) await build(share)
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
    // npm leaves out what is optional and for another platform.
    if (!found) return entry.optional === true
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(join(root, path, 'package.json'))
    )
  })
}

async function install(share) {
  say('Installing the packages of package-lock.json (npm ci) …')
  // npm writes this file last; what is left from before must not vouch for an install that gets interrupted.
  await rm(installed, { force: true })
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  // Under `npm start` the same npm, which need not be the first on the path.
  const npm = process.env.npm_execpath
  if (npm?.endsWith('npm-cli.js')) await run(process.execPath, [npm, ...args], { onSpawn: share })
  else await run('npm', args, { onSpawn: share, shell: process.platform === 'win32' })
}

async function isBuilt() {
  if (!existsSync(join(root, 'dist/main.js'))) return false
  const hash = await readFile(builtFrom, 'utf8').catch(() => '')
  return hash !== '' && hash === (await hashOfSources())
}

async function build(share) {
  say('Building dist …')
  const hash = await hashOfSources()
  await rm(builtFrom, { force: true })
  await run(process.execPath, [await programOf('@nestjs/cli', 'nest'), 'build'], { onSpawn: share })
  await writeFile(builtFrom, hash)
}

async function hashOfSources() {
  const top = (await readdir(root)).filter((name) =>
    /^(tsconfig.*|nest-cli|package|package-lock)\.json$/.test(name),
  )
  const sources = (await readdir(join(root, 'src'), { recursive: true, withFileTypes: true }))
    // Specs are not part of the build.
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
  const hash = createHash('sha256')
  for (const name of [...top, ...sources].sort()) {
    const content = await readFile(join(root, name))
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
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
 * Runs a program to its end, with signals passed on to it; where it fails, so do we, in the same way.
 * Its standard output goes to ours only when it is asked for.
 */
export async function run(command, args, { onSpawn, shell = false, stdout = 2 } = {}) {
  const child = spawn(command, args, { cwd: root, shell, stdio: ['inherit', stdout, 2] })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const passOn = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  if (child.pid) await onSpawn?.(child.pid)
  const { error, code, signal } = await ended
  for (const name of signals) process.off(name, passOn)

  if (code === 0) return
  if (error) say(`${command} could not be run: ${error.message}`)
  else if (!signal) say(`${[command, ...args].join(' ')} failed (${code}).`)
  throw new Failed(code ?? 1, signal)
}

class Failed extends Error {
  constructor(code, signal) {
    super(`ended with ${signal ?? code}`)
    this.code = code
    this.signal = signal
  }
}

/** For the scripts: a failed program was heard already, so only its way of ending is handed on. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failed)) throw error
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
