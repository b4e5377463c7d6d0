/**
 * A database that vanishes without a word, such as a machine that lost its power, is noticed: the operating system asks
 * each idle connection whether its other end is still there.
 */
import { readFile } from 'node:fs/promises'

import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { waitFor } from '../../support/wait-for.js'

const established = '01'
const keepAliveTimer = '02'

const isLinux = process.platform === 'linux'
if (!isLinux) process.stderr.write('Skipped: the timers of connections. Only Linux lists them.\n')
const onLinux = isLinux ? it : it.skip

let proxied: ProxiedService
beforeAll(async () => (proxied = await startProxiedService()))
afterAll(() => proxied.stop())

/** The timers of this machine's connections to a port, as the kernel of Linux lists them. */
async function timersOf(port: number): Promise<string[]> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1, -1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote, state]) => parseInt(remote!.split(':')[1]!, 16) === port && state === established)
    .map(([, , , , , timer]) => timer!.split(':')[0]!)
}

onLinux('every connection of the service to its database is asked', async () => {
  const { service, proxy } = proxied
  await Promise.all(Array.from({ length: 5 }, () => service.call('GET', '/v1/links')))
  await waitFor('all timers', async () => {
    const timers = await timersOf(Number(new URL(proxy.url).port))
    return timers.length >= 2 && timers.every((timer) => timer === keepAliveTimer)
  })
})
