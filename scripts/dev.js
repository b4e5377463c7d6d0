/**
 * `npm run dev [command …]`: runs the service from source with a readable log, and restarts it after each change. Types
 * are not checked: use an editor and `npm run check`.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { main, makeFresh, root, say } from './fresh.js'

// Separate from dist, which tests and benchmarks use.
const target = join(root, '.dev')
/** The delay after a change, so that saving many files causes one restart. */
const settleMs = 100

await main(() => makeFresh({ needsBuild: false }))
if (process.exitCode) process.exit()
// Import after the packages are installed.
const { compiledName, compileFile, isSource, sourcesIn, swcOptionsOf } = await import('./compile.js')
const swcOptions = swcOptionsOf(join(root, 'tsconfig.json'))

await rm(target, { recursive: true, force: true })
await compile(await sourcesIn(join(root, 'src')))

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
  // The service writes JSON lines to the pipe. They are formatted here, so that the log is readable without a terminal.
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
  const { databaseUrl, dataDir, postgresBinDir } = readEnvironment()
  if (databaseUrl !== null) return null
  const { openEmbeddedDatabase } = await load('platform/database/embedded/embedded-postgres.js')
  return openEmbeddedDatabase({ dataDir, postgresBinDir, use: 'command' })
}

/** Imports a compiled file of the service. */
function load(file) {
  return import(pathToFileURL(join(target, file)).href)
}

/** Compiles files. Returns false if one of them has an error. */
async function compile(files) {
  const compiled = await Promise.all(files.map((name) => compileOrRemove(name).catch(reportSyntaxError)))
  return !compiled.includes(false)
}

/** Prints the error without swc's stack trace. */
function reportSyntaxError({ message }) {
  say(message.split('\n\nCaused by:')[0])
  return false
}

async function compileOrRemove(name) {
  const source = join(root, 'src', name)
  const file = join(target, compiledName(name))
  const exists = await access(source).then(
    () => true,
    () => false,
  )
  await (exists ? compileFile(source, file, swcOptions) : rm(file, { force: true }))
}
