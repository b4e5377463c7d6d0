/** `npm run cluster` starts, responds and leaves nothing behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describeWithHaproxy, describeWithRedis } from '../../support/describe-with.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-local-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describeWithHaproxy('npm run cluster', () =>
  describeWithRedis('with redis-server and haproxy', () => {
    it('serves redirects through haproxy, and stops everything with Ctrl-C', async () => {
      const cluster = spawn(process.execPath, ['scripts/cluster.js'], {
        env: { PATH: process.env['PATH'], TMPDIR: folder },
        // A process group, which receives Ctrl-C as a whole.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let [output, errors] = ['', '']
      cluster.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      cluster.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      const closed = once(cluster, 'close')
      try {
        await waitFor(
          'the cluster',
          () => {
            if (cluster.exitCode !== null) throw new Error(`the cluster exited: ${errors}`)
            return output.includes('Press Ctrl-C')
          },
          120_000,
        )
        const [, origin = ''] = /runs at (\S+)/.exec(output)!
        const [, token = ''] = /token +(\S+)/.exec(output)!
        const created = await call(origin, 'POST', '/v1/links', {
          token,
          body: { url: 'https://a.example/' },
        })
        expect(created.status).toBe(201)
        const { short_url } = created.body as { short_url: string }
        expect(new URL(short_url).origin).toBe(origin)
        const visit = await fetch(short_url, { redirect: 'manual' })
        expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://a.example/'])
        const pids = [...output.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid))
        expect(pids.map(isRunning)).toEqual([true, true, true, true, true])

        process.kill(-cluster.pid!, 'SIGINT')
        expect(await closed).toEqual([0, null])
        expect(pids.filter(isRunning)).toEqual([])
        const refused = await fetch(`${origin}/healthz`).catch(() => 'refused')
        expect(refused).toBe('refused')
        expect((await readdir(folder)).filter((name) => name.startsWith('link'))).toEqual([])
        expect(errors).toMatch(/^Starting the cluster …\nStopping the cluster …\n$/)
      } finally {
        if (cluster.exitCode === null) process.kill(-cluster.pid!, 'SIGTERM')
        await closed
      }
    }, 180_000)
  }),
)

it('says how to install redis-server and haproxy', async () => {
  const cluster = spawn(process.execPath, ['scripts/cluster.js'], { env: { PATH: folder } })
  let errors = ''
  cluster.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  expect(await once(cluster, 'close')).toEqual([1, null])
  expect(errors).toBe(
    'npm run cluster needs redis-server and haproxy. Install both: apt-get install redis-server haproxy, or brew install redis haproxy.\n',
  )
})
