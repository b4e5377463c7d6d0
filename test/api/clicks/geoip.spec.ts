/** The country of a click by the visitor's address, from the file that GEOIP_DB names. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openLocations } from '../../../src/clicks/ingest/locations.js'
import { StartupError } from '../../../src/platform/config/startup-error.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { geoipFile } from './geoip-file.js'

const networks = {
  '203.0.113.0/24': 'DE',
  '198.51.100.128/25': 'FR',
  '2001:db8:1::/48': 'JP',
  '2001:db8:2:8000::/49': 'BR',
}

let folder: string
let file: string
let db: TestDatabase
let service: Service
const write = async (name: string, bytes: Uint8Array) => {
  await writeFile(join(folder, name), bytes)
  return join(folder, name)
}
const startWith = (
  geoip: string,
  env: Record<string, string> = {},
  onLog: (text: string) => void = () => undefined,
) => startService({ db, env: { TRUST_PROXY: 'loopback', GEOIP_DB: geoip, ...env }, onLog })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service geoip '))
  db = await createDatabase()
  file = await write('countries.mmdb', geoipFile(networks))
  service = await startWith(file)
})
afterAll(async () => {
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

async function placeOf(address: string, on = service, headers: Record<string, string> = {}) {
  const link = await makeLink(on)
  await visit(on, link.slug, { 'x-forwarded-for': address, ...headers })
  const [click] = await waitFor('the click', async () => {
    const { body } = await on.call('GET', `/v1/links/${link.id}/clicks`)
    return body.data.length > 0
      ? (body.data as { country: string | null; region: string | null; city: string | null }[])
      : null
  })
  return { country: click!.country, region: click!.region, city: click!.city }
}

async function countryOf(...asked: Parameters<typeof placeOf>) {
  return (await placeOf(...asked)).country
}

it.each([
  ['203.0.113.0', 'DE'],
  ['203.0.113.255', 'DE'],
  ['198.51.100.128', 'FR'],
  ['::ffff:203.0.113.77', 'DE'],
  ['2001:db8:1:2:3:4:5:6', 'JP'],
  ['2001:db8:2:ffff::', 'BR'],
])('a click from %s is from %s', async (address, country) => {
  expect(await countryOf(address)).toBe(country)
})

it.each(['203.0.114.0', '198.51.100.127', '192.0.2.1', '127.0.0.1', '2001:db8:2:7fff::1', '::1', 'unknown'])(
  'a click from %s, which is not in the file, is from nowhere',
  async (address) => {
    expect(await countryOf(address)).toBeNull()
  },
)

it('what a trusted header says comes first, and where it knows nothing the file does', async () => {
  const both = await startWith(file, {
    COUNTRY_HEADER: 'cf-ipcountry',
  })
  try {
    expect(await countryOf('203.0.113.77', both, { 'cf-ipcountry': 'CH' })).toBe('CH')
    expect(await countryOf('203.0.113.77', both, { 'cf-ipcountry': 'XX' })).toBe('DE')
    expect(await countryOf('203.0.113.77', both)).toBe('DE')
  } finally {
    await both.stop()
  }
})

it('a file of cities knows the region and the city, as far as it says them', async () => {
  const country = { iso_code: 'DE' }
  const cities = {
    '203.0.113.0/25': { country, subdivisions: [{ iso_code: 'BE' }], city: { names: { en: 'Berlin' } } },
    '203.0.113.128/26': { country, city: { geoname_id: 7 } },
    '203.0.113.192/26': { registered_country: country },
  }
  const running = await startWith(await write('cities.mmdb', geoipFile(cities)), {
    COUNTRY_HEADER: 'cf-ipcountry',
  })
  const unknown = { region: null, city: null }
  try {
    const berlin = { country: 'DE', region: 'DE-BE', city: 'Berlin' }
    expect(await placeOf('203.0.113.7', running)).toEqual(berlin)
    expect(await placeOf('203.0.113.7', running, { 'cf-ipcountry': 'DE' })).toEqual(berlin)
    expect(await placeOf('203.0.113.7', running, { 'cf-ipcountry': 'FR' })).toEqual({
      country: 'FR',
      ...unknown,
    })
    expect(await placeOf('203.0.113.130', running)).toEqual({ country: 'DE', ...unknown })
    expect(await placeOf('203.0.113.200', running)).toEqual({ country: 'DE', ...unknown })
  } finally {
    await running.stop()
  }
})

it('an address of IPv6 is from nowhere where the file has IPv4 only', async () => {
  // The first bits of the address are those of 32.1.13.184.
  const old = await startWith(await write('ipv4.mmdb', geoipFile({ '32.1.13.0/24': 'DE' }, 4)))
  try {
    expect(await countryOf('32.1.13.184', old)).toBe('DE')
    expect(await countryOf('2001:db8::1', old)).toBeNull()
  } finally {
    await old.stop()
  }
})

it('a file that is replaced while the service runs is read anew, and nonsense changes nothing', async () => {
  const replaced = await write('replaced.mmdb', geoipFile({ '203.0.113.0/24': 'DE' }))
  let logged = ''
  const running = await startWith(replaced, {}, (text) => (logged += text))
  const replaceBy = async (bytes: Uint8Array) => rename(await write('next.mmdb', bytes), replaced)
  try {
    expect(await countryOf('203.0.113.77', running)).toBe('DE')
    await replaceBy(Buffer.from('nonsense'))
    await waitFor('the nonsense to be noticed', () => logged.includes('so the one before stays'), 20_000)
    expect(await countryOf('203.0.113.77', running)).toBe('DE')
    await replaceBy(geoipFile({ '203.0.113.0/24': 'AT' }))
    await waitFor('the new file to be noticed', () => logged.includes('is read anew'), 20_000)
    expect(await countryOf('203.0.113.77', running)).toBe('AT')
  } finally {
    await running.stop()
  }
})

it('a file whose data are damaged keeps no click from being recorded', async () => {
  const bytes = geoipFile(networks)
  // The records lie behind the tree and 16 zeros; the description at the end stays whole.
  const data = bytes.indexOf(Buffer.from('country')) - 2
  const damaged = await startWith(await write('damaged.mmdb', bytes.fill(0, data, data + 20)))
  try {
    expect(await countryOf('203.0.113.77', damaged)).toBeNull()
  } finally {
    await damaged.stop()
  }
})

describe('a start', () => {
  const whole = geoipFile(networks)
  it.each([
    ['that is missing', null, /no such file/],
    ['that is empty', Buffer.alloc(0), /not a MaxMind file/],
    ['of nonsense', Buffer.from('a,b,c\n'.repeat(1_000)), /not a MaxMind file/],
    ['that lost its end', whole.subarray(0, -100), /not a MaxMind file/],
    ['that lost its beginning', whole.subarray(-200), /not a MaxMind file/],
  ])('with a file %s is refused', async (_, bytes, reason) => {
    const wrong = bytes ? await write('wrong.mmdb', bytes) : join(folder, 'missing.mmdb')
    const refused = await openLocations(wrong).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StartupError)
    const { message } = refused as StartupError
    expect(message).toMatch(/^GEOIP_DB cannot be used: .*\. Set it to a MaxMind country or city file/)
    expect(message).toMatch(reason)
    expect(message).toContain(wrong)
  })

  it('that is refused ends with one line that says what to do', async () => {
    const { gone, output, errors } = spawnService([], {
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      GEOIP_DB: join(folder, 'missing.mmdb'),
    })
    expect(await gone).toBe(1)
    expect(output()).toBe('')
    expect(errors().trim().split('\n')).toEqual([expect.stringMatching(/^GEOIP_DB cannot be used: /)])
  })
})
