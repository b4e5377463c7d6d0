/** The location of a click, from the IP address and a trusted proxy. locations.spec.ts tests how files are read. */
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
const countryOnly = (country: string | null) => ({ country, region: null, city: null })

it.each([
  ['has the location in the file', '203.0.113.7', {}, berlin],
  ['has only a country when the file has no more', '198.51.100.200', {}, countryOnly('FR')],
  ['has no location when its address is not in the file', '192.0.2.1', {}, countryOnly(null)],
  [
    'has the country of the proxy rather than of the file',
    '198.51.100.200',
    { 'cf-ipcountry': 'CH' },
    countryOnly('CH'),
  ],
  [
    'has the location in the file when the proxy has no country',
    '203.0.113.7',
    { 'cf-ipcountry': 'XX' },
    berlin,
  ],
  ['keeps its city when the proxy sends the same country', '203.0.113.7', { 'cf-ipcountry': 'DE' }, berlin],
  [
    'has no city when the proxy sends another country',
    '203.0.113.7',
    { 'cf-ipcountry': 'FR' },
    countryOnly('FR'),
  ],
])('a click %s', async (_, address, headers, expected) => {
  const link = await makeLink(service)
  await visit(service, link.slug, { 'x-forwarded-for': address, ...headers })
  const click = await waitFor('the click', async () => {
    const { body } = await service.call('GET', `/v1/links/${link.id}/clicks`)
    return body.data[0] ?? null
  })
  expect(click).toMatchObject(expected)
})

it('a start with an unusable file fails with one line that says what to do', async () => {
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
