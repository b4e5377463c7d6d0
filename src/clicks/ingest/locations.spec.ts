/** Where an address is, by files of every kind: whole, damaged, replaced and missing. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { geoipFile } from '../../../test/support/geoip-file.js'
import { waitFor } from '../../../test/support/wait-for.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { Locations, requireLocations } from './locations.js'

const networks = {
  '203.0.113.0/24': 'DE',
  '198.51.100.128/25': 'FR',
  '2001:db8:1::/48': 'JP',
  '2001:db8:2:8000::/49': 'BR',
}

let folder: string
let opened: Locations[]
let logged: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service geoip '))
  opened = []
  logged = []
})
afterEach(async () => {
  for (const locations of opened) locations.close()
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(join(folder, name), bytes)
  return join(folder, name)
}

async function openOf(bytes: Uint8Array): Promise<Locations> {
  const log = (message: string) => void logged.push(message)
  const locations = new Locations(await write('used.mmdb', bytes), { info: log, warn: log })
  opened.push(locations)
  await locations.open()
  return locations
}

it.each([
  ['203.0.113.0', 'DE'],
  ['203.0.113.255', 'DE'],
  ['198.51.100.128', 'FR'],
  ['::ffff:203.0.113.77', 'DE'],
  ['2001:db8:1:2:3:4:5:6', 'JP'],
  ['2001:db8:2:ffff::', 'BR'],
])('%s is in %s', async (address, country) => {
  expect((await openOf(geoipFile(networks))).of(address).country).toBe(country)
})

it.each(['203.0.114.0', '198.51.100.127', '192.0.2.1', '127.0.0.1', '2001:db8:2:7fff::1', '::1', 'unknown'])(
  '%s, which is not in the file, is nowhere',
  async (address) => {
    expect((await openOf(geoipFile(networks))).of(address).country).toBeNull()
  },
)

it('a file of cities knows the region and the city, as far as it says them', async () => {
  const country = { iso_code: 'DE' }
  const cities = await openOf(
    geoipFile({
      '203.0.113.0/25': { country, subdivisions: [{ iso_code: 'BE' }], city: { names: { en: 'Berlin' } } },
      '203.0.113.128/26': { country, city: { geoname_id: 7 } },
      '203.0.113.192/26': { registered_country: country },
    }),
  )
  expect(cities.of('203.0.113.7')).toEqual({ country: 'DE', region: 'DE-BE', city: 'Berlin' })
  expect(cities.of('203.0.113.130')).toEqual({ country: 'DE', region: null, city: null })
  expect(cities.of('203.0.113.200')).toEqual({ country: 'DE', region: null, city: null })
})

it('an address of IPv6 is nowhere where the file has IPv4 only', async () => {
  // The first bits of the address are those of 32.1.13.184.
  const old = await openOf(geoipFile({ '32.1.13.0/24': 'DE' }, 4))
  expect(old.of('32.1.13.184').country).toBe('DE')
  expect(old.of('2001:db8::1').country).toBeNull()
})

it('a file that is replaced is read anew, and nonsense changes nothing', async () => {
  const locations = await openOf(geoipFile({ '203.0.113.0/24': 'DE' }))
  const replaceBy = async (bytes: Uint8Array) =>
    rename(await write('next.mmdb', bytes), join(folder, 'used.mmdb'))
  const said = (text: string) => waitFor(text, () => logged.some((message) => message.includes(text)))
  await replaceBy(Buffer.from('nonsense'))
  await said('so the one before stays')
  expect(locations.of('203.0.113.77').country).toBe('DE')
  await replaceBy(geoipFile({ '203.0.113.0/24': 'AT' }))
  await said('is read anew')
  expect(locations.of('203.0.113.77').country).toBe('AT')
})

it('a file whose data are damaged is nowhere, and throws nothing', async () => {
  const bytes = geoipFile(networks)
  // The records come after the tree and 16 zeros. The description at the end stays whole.
  const data = bytes.indexOf(Buffer.from('country')) - 2
  const damaged = await openOf(bytes.fill(0, data, data + 20))
  expect(damaged.of('203.0.113.77').country).toBeNull()
})

const whole = geoipFile(networks)
it.each([
  ['that is missing', null, /no such file/],
  ['that is empty', Buffer.alloc(0), /not a MaxMind file/],
  ['of nonsense', Buffer.from('a,b,c\n'.repeat(1_000)), /not a MaxMind file/],
  ['that lost its end', whole.subarray(0, -100), /not a MaxMind file/],
  ['that lost its beginning', whole.subarray(-200), /not a MaxMind file/],
])('a file %s is refused at the start', async (_, bytes, reason) => {
  const wrong = bytes ? await write('wrong.mmdb', bytes) : join(folder, 'missing.mmdb')
  const refused = await requireLocations(wrong).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartupError)
  const { message } = refused as StartupError
  expect(message).toMatch(/^GEOIP_DB cannot be used: .*\. Set it to a MaxMind country or city file/)
  expect(message).toMatch(reason)
  expect(message).toContain(wrong)
})
