/** The service on a database of its own, without a rate limit; also measures the check of a warm token in this process. */
import 'reflect-metadata'

import { createApp } from '../../dist/app.js'
import { AuthGuard } from '../../dist/auth/auth.guard.js'
import { TokenCommands } from '../../dist/auth/token-commands.js'
import { readSettings } from '../../dist/config/env.js'
import { createLogger } from '../../dist/config/logger.js'
import { openDatabase } from '../../dist/database/open-database.js'
import { migrateQueue } from '../../dist/queue/schema.js'

const database = await openDatabase(
  readSettings({ DATA_DIR: process.argv[2], RATE_LIMIT: 'off', PORT: '0' }),
  'service',
)
await migrateQueue(database.settings)
const app = await createApp(database.settings, createLogger('info'))
await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await app.get(TokenCommands).create('default', 'bench', undefined, undefined)

process.on('message', async (message) => {
  if (message === 'processor') process.send(process.cpuUsage())
  if (message === 'check') process.send({ microseconds: await timeChecks() })
  if (message === 'stop') {
    await app.close()
    await database.release()
    process.exit(0)
  }
})
process.send({ port: app.getHttpServer().address().port, token })

async function timeChecks() {
  const guard = app.get(AuthGuard)
  const header = `Bearer ${token}`
  const times = new Float64Array(200_000)
  for (let i = 0; i < 20_000; i++) await guard.check(header)
  for (let i = 0; i < times.length; i++) {
    const start = performance.now()
    await guard.check(header)
    times[i] = (performance.now() - start) * 1000
  }
  times.sort()
  return [0.5, 0.99, 0.999].map((share) => times[Math.floor(times.length * share)])
}
