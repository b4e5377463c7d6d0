/** The pods of the chart run as processes: migration, API and worker with their environment, probes and preStop command. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import pg from 'pg'

import { getEnvironment, listPods, readManifests } from '../../support/chart.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithRedis } from '../../support/describe-with.js'
import { freePort } from '../../support/free-port.js'
import { spawnService } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const run = promisify(execFile)
const responseMs = 1_000

let folder: string
let server: TestDatabase
let redis: TestRedis
let receiver: Receiver
let requestsInFlight = 0
let secret: Record<string, string>
const processes: ReturnType<typeof spawnService>[] = []

/** A container as a process. `ports` maps the names of its ports to those of this machine. */
interface Running {
  container: any
  pod: any
  environment: Record<string, string>
  ports: { http: number; metrics: number }
  process: ReturnType<typeof spawnService>
}

/** Starts the container of a component with its environment. Ports, the address and the folder are those of this machine. */
async function startContainer(component: string): Promise<Running> {
  const { pod } = listPods(readManifests('pods')).find((each) => each.component === component)!
  const [container] = pod.containers
  const ports = { http: await freePort(), metrics: await freePort() }
  const isWritable = container.volumeMounts.some(({ mountPath }: any) => mountPath === '/data')
  const environment = getEnvironment(container, secret)
  Object.assign(environment, {
    HOST: '127.0.0.1',
    PORT: String(ports.http),
    METRICS_PORT: String(ports.metrics),
    DATA_DIR: isWritable ? join(folder, component) : '/nonexistent/data',
  })
  const service = spawnService(container.args, environment)
  processes.push(service)
  return { container, pod, environment, ports, process: service }
}

/** Sends the request of a probe, and returns the status, or null without a response. */
function probe({ container, ports }: Running, name: string): Promise<number | null> {
  const { path, port } = container[name].httpGet
  return fetch(`http://127.0.0.1:${ports[port as keyof typeof ports]}${path}`).then(
    ({ status }) => status,
    () => null,
  )
}

const waitForProbe = (running: Running, name: string, status: number) =>
  waitFor(
    `${name} to respond ${status}: ${running.process.errors()}`,
    async () => (await probe(running, name)) === status,
    60_000,
  )

async function stop({ pod, process: { child, gone } }: Running): Promise<void> {
  const startedAt = Date.now()
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(pod.terminationGracePeriodSeconds * 1000)
}

describeWithRedis('the pods', () => {
  let api: Running
  let worker: Running
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'link-service-pods-'))
    server = await createDatabase()
    // The hook migrates an empty database, as before an installation.
    const url = new URL(server.url)
    url.pathname = `/pods_${process.pid}`
    await server.query(`CREATE DATABASE pods_${process.pid}`)
    redis = await startRedis()
    receiver = await startReceiver((_request, response) => {
      requestsInFlight++
      setTimeout(() => {
        requestsInFlight--
        response.end()
      }, responseMs)
    })
    secret = {
      DATABASE_URL: url.href,
      REDIS_URL: redis.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
    }
    // The preStop command finds the program on the path, as in the image.
    await mkdir(join(folder, 'bin'))
    await chmod('dist/main.js', 0o755)
    await symlink(resolve('dist/main.js'), join(folder, 'bin/link-service'))
  })
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ gone }) => gone))
    await receiver.stop()
    await redis.close()
    await server.query(`DROP DATABASE IF EXISTS pods_${process.pid} WITH (FORCE)`)
    await server.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('do not start before the migration', async () => {
    const refused = await startContainer('worker')
    expect(await refused.process.gone).toBe(1)
    expect(refused.process.errors()).toContain('migrate')
  })

  it('migrate with the hook, again without a change', async () => {
    const [first, second] = [await startContainer('migration'), await startContainer('migration')]
    expect(await Promise.all([first.process.gone, second.process.gone])).toEqual([0, 0])
    const again = await startContainer('migration')
    expect(await again.process.gone).toBe(0)
    expect(again.process.output()).toBe('Nothing to apply.\n')
  })

  it('start, and become ready', async () => {
    api = await startContainer('api')
    worker = await startContainer('worker')
    for (const running of [api, worker])
      for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        await waitForProbe(running, name, 200)
  }, 120_000)

  it('serve metrics and probes only on their own port', async () => {
    const at = (port: number, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
    for (const { ports } of [api, worker]) expect(await at(ports.metrics, '/metrics')).toBe(200)
    for (const path of ['/metrics', '/healthz', '/readyz']) expect(await at(api.ports.http, path)).toBe(404)
  })

  it('serve the API with a token from the command in the notes', async () => {
    const created = spawnService(['token', 'create', '--name', 'admin'], api.environment)
    expect(await created.gone).toBe(0)
    token = /^lsk_\S+$/m.exec(created.output())![0]
    const { status } = await call(`http://127.0.0.1:${api.ports.http}`, 'GET', '/v1/auth/token/self', {
      token,
    })
    expect(status).toBe(200)
  })

  it('stay alive while the database is down', async () => {
    const isReady = async () => (await probe(worker, 'readinessProbe')) === 200
    const client = new pg.Client(server.url)
    await client.connect()
    try {
      await client.query(`ALTER DATABASE pods_${process.pid} ALLOW_CONNECTIONS false`)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        `pods_${process.pid}`,
      ])
      await waitForProbe(worker, 'readinessProbe', 503)
      for (const running of [api, worker]) expect(await probe(running, 'livenessProbe')).toBe(200)
    } finally {
      await client.query(`ALTER DATABASE pods_${process.pid} ALLOW_CONNECTIONS true`)
      await client.end()
    }
    await waitFor('the worker to be ready again', isReady)
    await waitForProbe(api, 'readinessProbe', 200)
  })

  it('drain a worker with the preStop command before it stops', async () => {
    const origin = `http://127.0.0.1:${api.ports.http}`
    const hook = { url: `${receiver.origin}/hook`, events: ['link.created'], max_in_flight: 1 }
    expect((await call(origin, 'POST', '/v1/webhooks', { token, body: hook })).status).toBe(201)
    for (let i = 0; i < 3; i++)
      await call(origin, 'POST', '/v1/links', { token, body: { url: 'https://target.example' } })
    await waitFor('a request to the receiver', () => receiver.requestsTo('/hook').length > 0)

    const [command, ...args] = worker.container.lifecycle.preStop.exec.command
    // Rejects if the command fails. The receiver in this process must respond while it runs.
    const drained = await run(command, args, {
      timeout: worker.pod.terminationGracePeriodSeconds * 1000,
      env: { ...worker.environment, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    })
    expect(drained.stderr).toBe('')
    expect(drained.stdout).toMatch(/^Drained prc_\w+\. It accepts no more work and can be stopped\.$/m)
    expect(requestsInFlight).toBe(0)
    await stop(worker)
  }, 120_000)

  it('serve requests during the delay after they are not ready any more', async () => {
    api.process.child.kill('SIGTERM')
    await waitForProbe(api, 'readinessProbe', 503)
    expect((await fetch(`http://127.0.0.1:${api.ports.http}/docs`)).status).toBe(200)
    await stop(api)
  })
})
