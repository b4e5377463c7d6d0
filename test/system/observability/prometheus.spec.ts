/** A Prometheus that scrapes the service under load evaluates all alerts and dashboards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readAlerts, readDashboardQueries, rulesFolder } from '../../support/alert-files.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { describeWithPrometheus, startPrometheus } from '../../support/prometheus.js'
import type { TestPrometheus } from '../../support/prometheus.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

/** The service reports the metrics of these alerts only after a fault, or with BACKUP_DIR or an egress proxy. */
const withoutData = ['LinkServiceRequestErrors', 'LinkServiceBackupLate', 'LinkServiceEgressProxyDown']

let folder: string
let db: TestDatabase
let receiver: Receiver
let service: ServiceProcess
let prometheus: TestPrometheus

const api = (method: string, path: string, body?: unknown) =>
  call(service.origin, method, path, { token: service.firstToken!, body })

/** Creates, visits and reads links, with one webhook that succeeds and one that fails. */
async function useService(): Promise<void> {
  const { body: link } = await api('POST', '/v1/links', { url: 'https://target.example' })
  for (let i = 0; i < 10; i++)
    await fetch(`${service.origin}/${link.slug}`, { redirect: 'manual', method: i === 0 ? 'HEAD' : 'GET' })
  await api('GET', `/v1/links/${link.id}`)
}

describeWithPrometheus('with Prometheus', () => {
  let stopUse = false
  let use: Promise<void>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'link-service-observed-'))
    db = await createDatabase()
    receiver = await startReceiver((request, response) => {
      response.statusCode = request.path === '/broken' ? 500 : 200
      response.end()
    })
    service = await startProcess({
      ROLE: 'all',
      DATABASE_URL: db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      WORKSPACE_RATE_LIMIT: 'off',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    })
    for (const path of ['/works', '/broken'])
      await api('POST', '/v1/webhooks', { url: receiver.origin + path, events: ['link.created', 'click'] })
    prometheus = await startPrometheus([new URL(service.origin).host], `${rulesFolder}/rules.yml`)
    const useUntilStopped = async () => {
      while (!stopUse) await useService()
    }
    use = useUntilStopped()
  }, 90_000)
  afterAll(async () => {
    stopUse = true
    await use
    await prometheus.stop()
    await service.stop()
    await receiver.stop()
    await db.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('evaluates every alert without an error', async () => {
    const names = readAlerts().map(({ alert }) => alert)
    await waitFor('all rules', async () => {
      const rules = await prometheus.readRules()
      return rules.length === names.length && rules.every(({ health }) => health === 'ok')
    })
    expect((await prometheus.readRules()).map(({ name }) => name)).toEqual(names)
  })

  it('returns series for every expression', async () => {
    const ofAlerts = readAlerts()
      .filter(({ alert, expr }) => !withoutData.includes(alert) && !expr.startsWith('absent('))
      // Without its thresholds, an expression shows the values that it compares.
      .flatMap(({ alert, expr }) => {
        const compared = expr.replaceAll(/ (?:[<>]=?|==) [\d.]+/g, '')
        // Values on the right side of `unless` hide those on the left.
        return compared.split(' unless ').map((side) => ({ name: alert, expr: side }))
      })
    const ofPanels = readDashboardQueries().map((query) => ({
      ...query,
      expr: query.expr.replaceAll('$__rate_interval', '10s'),
    }))
    for (const { expr } of ofPanels) await prometheus.countSeries(expr)
    const expected = [...ofAlerts, ...ofPanels.filter(({ canBeEmpty }) => !canBeEmpty)]
    for (const { name, expr } of expected)
      await waitFor(`series of ${name}: ${expr}`, async () => (await prometheus.countSeries(expr)) > 0)
  }, 90_000)
})
