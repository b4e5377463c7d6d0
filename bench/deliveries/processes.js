/** Starts a worker process and a Redis. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export function startWorker({ databaseUrl, tokenPepper, encryptionKey }, redis, env = {}) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../dist/main.js', import.meta.url)), 'worker'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        LOG_LEVEL: 'warn',
        DATABASE_URL: databaseUrl,
        TOKEN_PEPPER: tokenPepper,
        ENCRYPTION_KEY: encryptionKey,
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        ...(redis ? { REDIS_URL: redis.url } : {}),
        ...env,
      },
    },
  )
  const ended = once(child, 'exit').then(() => {
    throw new Error('the worker did not start')
  })
  return { child, ready: Promise.race([once(child.stdout, 'data'), ended]) }
}

export async function startRedis() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return { child, url: `redis://127.0.0.1:${port}` }
}
