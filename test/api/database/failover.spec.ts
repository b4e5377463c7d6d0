/** A database server that becomes read-only, and one that has no free connections. */
import pg from 'pg'

import { makeLink, visit } from '../../support/factories/links.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
let service: Service
beforeEach(async () => {
  db = await createDatabase()
})
afterEach(async () => {
  await service.stop()
  await db.drop()
})

const databaseName = () => new URL(db.url).pathname.slice(1)
const create = () => service.call('POST', '/v1/links', { body: { url: 'https://target.example/' } })

function expectUnavailable({ status, body, headers }: ServiceResponse): void {
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', expect.any(String)])
}

/** Terminates the connections of the pool, but not the connection of the change feed. */
const endConnections = () =>
  db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'link-service'`,
  )

it('returns 503 for changes while the server is read-only, and reconnects afterwards', async () => {
  service = await startService({ db })
  const link = await makeLink(service)
  await db.query(`ALTER DATABASE "${databaseName()}" SET default_transaction_read_only = on`)
  await endConnections()
  expectUnavailable(
    await waitFor('a refusal', async () => {
      const response = await create()
      return response.status === 503 ? response : null
    }),
  )
  for (const response of await Promise.all([create(), create(), create()])) expectUnavailable(response)
  expectUnavailable(await service.call('PATCH', `/v1/links/${link.id}`, { body: { title: 'New' } }))
  expect((await service.call('GET', `/v1/links/${link.id}`)).status).toBe(200)
  expect((await visit(service, link.slug)).status).toBe(302)

  // Open connections keep the former default, so changes work only on new connections.
  await db.query(`ALTER DATABASE "${databaseName()}" RESET default_transaction_read_only`)
  await waitFor('a change to be accepted', async () => (await create()).status === 201, 5_000)
  await waitFor('the click', async () => {
    const { body } = await service.call('GET', `/v1/links/${link.id}`)
    return body.clicks.total === 1
  })
})

it('returns 503 for calls and keeps redirecting while the database accepts no connections', async () => {
  service = await startService({ db })
  const link = await makeLink(service)
  expect((await visit(service, link.slug)).status).toBe(302)
  await db.query(`ALTER DATABASE "${databaseName()}" CONNECTION LIMIT 12`)
  const holders: pg.Client[] = []
  const takeAll = async () => {
    for (;;) {
      const holder = new pg.Client(db.url)
      holder.on('error', () => undefined)
      try {
        await holder.connect()
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' })
        return
      }
      holders.push(holder)
    }
  }
  await takeAll()
  await endConnections()
  await takeAll()
  const responses = await Promise.all([create(), create(), service.call('GET', '/v1/links')])
  for (const response of responses) expectUnavailable(response)
  expect((await visit(service, link.slug)).status).toBe(302)

  await Promise.all(holders.map((holder) => holder.end()))
  await waitFor('calls to work again', async () => (await create()).status === 201, 5_000)
})
