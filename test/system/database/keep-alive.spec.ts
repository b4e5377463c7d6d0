/**
 * TCP keep-alive detects a database host that disappeared without closing its connections, for example after a power
 * failure.
 */
import { readFile } from 'node:fs/promises'

import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { waitFor } from '../../support/wait-for.js'

const established = '01'
const keepAliveTimer = '02'

const isLinux = process.platform === 'linux'
if (!isLinux) process.stderr.write('Skipped: TCP keep-alive. Only Linux lists the timers of connections.\n')
const onLinux = isLinux ? it : it.skip

let proxied: ProxiedService
beforeAll(async () => (proxied = await startProxiedService()))
afterAll(() => proxied.stop())

/** Returns the active timers of this machine's connections to a port, as /proc/net/tcp lists them. */
async function listTimers(port: number): Promise<string[]> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1, -1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote, state]) => parseInt(remote!.split(':')[1]!, 16) === port && state === established)
    .map(([, , , , , timer]) => timer!.split(':')[0]!)
}

onLinux('uses TCP keep-alive on every database connection', async () => {
  const { service, proxy } = proxied
  await Promise.all(Array.from({ length: 5 }, () => service.call('GET', '/v1/links')))
  await waitFor('all timers', async () => {
    const timers = await listTimers(Number(new URL(proxy.url).port))
    return timers.length >= 2 && timers.every((timer) => timer === keepAliveTimer)
  })
})
