/** The place of a click, by the visitor's address and what a trusted proxy says. What files know is in locations.spec.ts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { geoipFile } from '../../support/geoip-file.js'
import { spawnService } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service geoip '))
  const file = join(folder, 'cities.mmdb')
  const berlin = {
    country: { iso_code: 'DE' },
    subdivisions: [{ iso_code: 'BE' }],
    city: { names: { en: 'Berlin' } },
  }
  await writeFile(file, geoipFile({ '203.0.113.0/25': berlin, '198.51.100.128/25': 'FR' }))
  service = await startService({
    env: { TRUST_PROXY: 'loopback', GEOIP_DB: file, COUNTRY_HEADER: 'cf-ipcountry' },
  })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const berlin = { country: 'DE', region: 'DE-BE', city: 'Berlin' }
const only = (country: string | null) => ({ country, region: null, city: null })

it.each([
  ['is where the file says', '203.0.113.7', {}, berlin],
  ['has a country alone where the file knows no more', '198.51.100.200', {}, only('FR')],
  ['is nowhere when its address is not in the file', '192.0.2.1', {}, only(null)],
  ['is where the proxy says first', '198.51.100.200', { 'cf-ipcountry': 'CH' }, only('CH')],
  ['is where the file says when the proxy knows nothing', '203.0.113.7', { 'cf-ipcountry': 'XX' }, berlin],
  ['keeps its city when the proxy says the same country', '203.0.113.7', { 'cf-ipcountry': 'DE' }, berlin],
  ['loses its city when the proxy says another', '203.0.113.7', { 'cf-ipcountry': 'FR' }, only('FR')],
])('a click %s', async (_, address, headers, expected) => {
  const link = await makeLink(service)
  await visit(service, link.slug, { 'x-forwarded-for': address, ...headers })
  const click = await waitFor('the click', async () => {
    const { body } = await service.call('GET', `/v1/links/${link.id}/clicks`)
    return body.data[0] ?? null
  })
  expect(click).toMatchObject(expected)
})

it('a start with a file that cannot be used ends with one line that says what to do', async () => {
  const { gone, output, errors } = spawnService([], {
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: service.db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    GEOIP_DB: join(folder, 'missing.mmdb'),
  })
  expect(await gone).toBe(1)
  expect(output()).toBe('')
  expect(errors().trim().split('\n')).toEqual([expect.stringMatching(/^GEOIP_DB cannot be used: /)])
})
