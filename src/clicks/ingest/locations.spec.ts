/** Looks up IP addresses in valid, damaged, replaced and missing files. */
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

async function openLocations(bytes: Uint8Array): Promise<Locations> {
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
])('locates %s in %s', async (address, country) => {
  expect((await openLocations(geoipFile(networks))).locate(address).country).toBe(country)
})

it.each(['203.0.114.0', '198.51.100.127', '192.0.2.1', '127.0.0.1', '2001:db8:2:7fff::1', '::1', 'unknown'])(
  'returns no country for %s, which is not in the file',
  async (address) => {
    expect((await openLocations(geoipFile(networks))).locate(address).country).toBeNull()
  },
)

it('returns region and city from a city file, if it has them', async () => {
  const country = { iso_code: 'DE' }
  const cities = await openLocations(
    geoipFile({
      '203.0.113.0/25': { country, subdivisions: [{ iso_code: 'BE' }], city: { names: { en: 'Berlin' } } },
      '203.0.113.128/26': { country, city: { geoname_id: 7 } },
      '203.0.113.192/26': { registered_country: country },
    }),
  )
  expect(cities.locate('203.0.113.7')).toEqual({ country: 'DE', region: 'DE-BE', city: 'Berlin' })
  expect(cities.locate('203.0.113.130')).toEqual({ country: 'DE', region: null, city: null })
  expect(cities.locate('203.0.113.200')).toEqual({ country: 'DE', region: null, city: null })
})

it('returns no country for an IPv6 address if the file has only IPv4 networks', async () => {
  // The first bits of the address are those of 32.1.13.184.
  const old = await openLocations(geoipFile({ '32.1.13.0/24': 'DE' }, 4))
  expect(old.locate('32.1.13.184').country).toBe('DE')
  expect(old.locate('2001:db8::1').country).toBeNull()
})

it('reloads a file that was replaced, and ignores an invalid new file', async () => {
  const locations = await openLocations(geoipFile({ '203.0.113.0/24': 'DE' }))
  const replaceBy = async (bytes: Uint8Array) =>
    rename(await write('next.mmdb', bytes), join(folder, 'used.mmdb'))
  const isLogged = (text: string) => waitFor(text, () => logged.some((message) => message.includes(text)))
  await replaceBy(Buffer.from('nonsense'))
  await isLogged('so the previous one stays in use')
  expect(locations.locate('203.0.113.77').country).toBe('DE')
  await replaceBy(geoipFile({ '203.0.113.0/24': 'AT' }))
  await isLogged('Loaded the new GEOIP_DB file.')
  expect(locations.locate('203.0.113.77').country).toBe('AT')
})

it('returns no country if the data of the file is damaged', async () => {
  const bytes = geoipFile(networks)
  // The records come after the tree and 16 zeros. The metadata at the end stays intact.
  const data = bytes.indexOf(Buffer.from('country')) - 2
  const damaged = await openLocations(bytes.fill(0, data, data + 20))
  expect(damaged.locate('203.0.113.77').country).toBeNull()
})

const validFile = geoipFile(networks)
it.each([
  ['a missing file', null, /no such file/],
  ['an empty file', Buffer.alloc(0), /not a MaxMind file/],
  ['a text file', Buffer.from('a,b,c\n'.repeat(1_000)), /not a MaxMind file/],
  ['a file without its end', validFile.subarray(0, -100), /not a MaxMind file/],
  ['a file without its start', validFile.subarray(-200), /not a MaxMind file/],
])('rejects %s at startup', async (_, bytes, reason) => {
  const path = bytes ? await write('invalid.mmdb', bytes) : join(folder, 'missing.mmdb')
  const error = await requireLocations(path).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartupError)
  const { message } = error as StartupError
  expect(message).toMatch(/^GEOIP_DB cannot be used: .*\. Set it to a MaxMind country or city file/)
  expect(message).toMatch(reason)
  expect(message).toContain(path)
})
