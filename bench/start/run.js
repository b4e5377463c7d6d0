/**
 * The first `npm start` in a copy of the repository, with a warm and with an empty npm cache, and the second start. An
 * empty cache needs the npm registry. The copy has the files of the git index.
 *
 *     node bench/start/run.js
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { heading, line, summary } from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'
import { startService, temporaryFolder } from '../lib/service.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const timeoutMs = 10 * 60_000
/** What npm needs to reach the registry. */
const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name)),
)

await runBenchmark({ minutes: 30 }, async (undo) => {
  heading('time until `npm start` serves requests')
  const warm = await copyRepository(undo)
  await measureStart(undo, 'first start with a warm npm cache', warm, { atMost: 40 })
  await measureStart(undo, 'second start', warm, { atMost: 3 })
  const cold = await copyRepository(undo)
  cold.settings = { npm_config_cache: await temporaryFolder(undo) }
  await measureStart(undo, 'first start with a cold npm cache', cold, { atMost: 90 })
  summary()
})

async function copyRepository(undo) {
  const folder = await temporaryFolder(undo)
  const { status, stderr } = spawnSync('git', ['checkout-index', '--all', `--prefix=${folder}/`], {
    cwd: root,
  })
  if (status !== 0) throw new Error(`git checkout-index failed: ${stderr}`)
  return { folder, dataDir: await temporaryFolder(undo), settings: {} }
}

async function measureStart(undo, name, { folder, dataDir, settings }, goal) {
  const options = { command: ['npm', 'start'], folder, dataDir, timeoutMs }
  const service = await startService(undo, { ...options, settings: { ...network, ...settings } })
  const seconds = service.startMs / 1000
  await service.stop()
  line(name, {
    figure: `${seconds.toFixed(1)} s`,
    judged: seconds,
    goal,
    goalText: `≤ ${goal.atMost} s`,
    budget: name,
  })
}
