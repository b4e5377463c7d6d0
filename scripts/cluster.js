/** `npm run cluster`: runs PostgreSQL, Redis, two APIs behind haproxy and three workers until Ctrl-C. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { main, makeFresh, root, say } from './fresh.js'

const isMissing = (program) => spawnSync(program, ['-v']).error !== undefined
const missing = ['redis-server', 'haproxy'].filter(isMissing)

if (missing.length > 0) {
  say(
    `npm run cluster needs ${missing.join(' and ')}. Install both: apt-get install redis-server haproxy, or brew install redis haproxy.`,
  )
  process.exitCode = 1
} else
  await main(async () => {
    await makeFresh()
    await runCluster()
  })

/** Runs the cluster in its own process group, because Ctrl-C would otherwise stop all of its parts at the same time. */
async function runCluster() {
  const cluster = spawn(process.execPath, [join(root, 'scripts/cluster-process.js')], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  // The cluster stops when its standard input ends, and therefore also when this process is killed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => cluster.stdin.end())
  const [code] = await once(cluster, 'close')
  process.exitCode = code ?? 1
}
