/**
 * `npm run dev [command …]`: runs the service from source with a readable log, and restarts it after each change. Types
 * are not checked: use an editor and `npm run check`.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { main, makeFresh, root, say } from './fresh.js'

// Separate from dist, which tests and benchmarks use.
const target = join(root, '.dev')
/** The delay after a change, so that saving many files causes one restart. */
const settleMs = 100

await main(() => makeFresh({ needsBuild: false }))
if (process.exitCode) process.exit()
const { transformFile } = await import('@swc/core')
// Use the compiler options of the tests.
const { default: jest } = await import('../jest.config.js')
const [[, swcOptions]] = Object.values(jest.projects[0].transform)

await rm(target, { recursive: true, force: true })
const names = await readdir(join(root, 'src'), { recursive: true })
await compile(names.filter(isSource))

const { prettyLine } = await load('platform/util/pretty-log.js')
const hasColor = process.stderr.isTTY === true && process.env.NO_COLOR === undefined
const database = await holdDatabase().catch((error) => say(error.message))
let isStopping = false
let service = start()
const changed = new Set()
let timer = null
let restarting = Promise.resolve()

const watcher = watch(join(root, 'src'), { recursive: true }, (_event, name) => {
  if (name === null || !isSource(name)) return
  changed.add(name)
  clearTimeout(timer)
  timer = setTimeout(() => (restarting = restarting.then(restart)), settleMs)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isStopping = true
    watcher.close()
    clearTimeout(timer)
    service.process.kill(signal)
    void service.ended.then(() => database?.release())
  })

async function restart() {
  const startedAt = performance.now()
  const batch = [...changed]
  changed.clear()
  if (isStopping) return
  if (!(await compile(batch))) {
    // Compile these files again with the next change.
    for (const name of batch) changed.add(name)
    return
  }
  service.process.kill('SIGTERM')
  await service.ended
  if (isStopping) return
  service = start(startedAt)
}

function start(since = null) {
  if (since !== null) say(`Restarting ${Math.round(performance.now() - since)} ms after the change.`)
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(target, 'main.js'), ...process.argv.slice(2)],
    {
      stdio: ['inherit', 'inherit', 'pipe'],
    },
  )
  // The service sees a pipe, so that the log is readable without a terminal too.
  createInterface({ input: child.stderr }).on('line', (line) =>
    process.stderr.write(`${prettyLine(line, { hasColor })}\n`),
  )
  const ended = new Promise((resolve) => child.on('close', resolve))
  void ended.then((code) => {
    if (isStopping) process.exitCode = code ?? 1
    else if (code !== 0) say('The service exited. It restarts after the next change.')
  })
  return { process: child, ended }
}

/** Keeps the embedded database running between restarts, which saves a second each time. */
async function holdDatabase() {
  const { readEnvironment } = await load('platform/config/env.js')
  const { databaseUrl, dataDir } = readEnvironment()
  if (databaseUrl !== null) return null
  const { openEmbeddedDatabase } = await load('platform/database/embedded/embedded-postgres.js')
  return openEmbeddedDatabase({ dataDir, use: 'command' })
}

/** Imports a compiled file of the service. */
function load(file) {
  return import(pathToFileURL(join(target, file)).href)
}

function isSource(name) {
  return name.endsWith('.ts') && !name.endsWith('.spec.ts')
}

/** Compiles files. Returns false if one of them has an error. */
async function compile(files) {
  const compiled = await Promise.all(files.map((name) => compileFile(name).catch(reportSyntaxError)))
  return !compiled.includes(false)
}

/** Prints the error without swc's stack trace. */
function reportSyntaxError({ message }) {
  say(message.split('\n\nCaused by:')[0])
  return false
}

async function compileFile(name) {
  const source = join(root, 'src', name)
  const file = join(target, name.replace(/ts$/, 'js'))
  const exists = await readFile(source).then(
    () => true,
    () => false,
  )
  if (!exists) return rm(file, { force: true })
  const { code } = await transformFile(source, { ...swcOptions, swcrc: false })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
}
