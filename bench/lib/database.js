/** A separate PostgreSQL with the binaries and settings of the embedded one, shared by the service and the baseline. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { temporaryFolder } from './service.js'

const program = fileURLToPath(new URL('../../test/support/hold-database.js', import.meta.url))

/** Starts the database in `folder`. `settings` are the environment variables for a service. */
export async function startDatabase(undo, folder) {
  const dataDir = folder ?? (await temporaryFolder(undo))
  const child = spawn(process.execPath, [program, dataDir, 'service'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  undo(async () => {
    child.stdin.end()
    await closed
  })
  const [step] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closed])
  const { url, message } = JSON.parse(step)
  if (!url) throw new Error(`the database did not start: ${message}`)
  return {
    url,
    postmaster: parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8')),
    settings: {
      DATABASE_URL: url,
      MIGRATE: 'true',
      TOKEN_PEPPER: 'benchmark pepper that protects no real data',
      ENCRYPTION_KEY: 'benchmark key that protects no real data',
    },
  }
}
