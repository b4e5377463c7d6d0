/** Where an address is, by a MaxMind file where one is set: of countries, or of cities. The file may be replaced while we run. */
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Reader } from 'maxmind'
import type { CityResponse } from 'maxmind'

import { StartupError } from '../../platform/config/startup-error.js'
import type { IngestLog } from './messages.js'

const lookAgainMs = 1_000

export interface Location {
  country: string | null
  /** ISO 3166-2, with the country. */
  region: string | null
  city: string | null
}

export const nowhere: Location = { country: null, region: null, city: null }
const longestCity = 100

export class Locations {
  private readonly replaced = () => void this.reload()
  private reader: Reader<CityResponse> | null = null

  /** Without a file nothing is known. */
  constructor(
    private readonly file: string | null,
    private readonly log: IngestLog,
  ) {}

  /** Clicks are counted without countries when the file breaks. A start with a broken file was refused. */
  async open(): Promise<void> {
    if (this.file === null) return
    try {
      this.reader = await open(this.file)
    } catch (error) {
      this.log.warn(`No country is known until GEOIP_DB is replaced: ${(error as Error).message}.`)
    }
    watchFile(this.file, { persistent: false, interval: lookAgainMs }, this.replaced)
  }

  close(): void {
    if (this.file !== null) unwatchFile(this.file, this.replaced)
  }

  /** Null wherever it is not known. A damaged file must not keep clicks from being recorded. */
  of(address: string): Location {
    const parsed = addressIn(address)
    if (!this.reader || !parsed) return nowhere
    // A file of IPv4 would take the beginning of any other address for one of its own.
    if (parsed.kind() === 'ipv6' && this.reader.metadata.ipVersion === 4) return nowhere
    try {
      const found = this.reader.get(parsed.toString())
      return found ? locationIn(found) : nowhere
    } catch {
      return nowhere
    }
  }

  /** The file may be half written. Its next change is noticed again. */
  private async reload(): Promise<void> {
    try {
      this.reader = await open(this.file!)
      this.log.info('The file of GEOIP_DB was replaced, and is read anew.')
    } catch (error) {
      this.log.warn(
        `The file of GEOIP_DB was replaced by one that cannot be used, so the one before stays: ${(error as Error).message}.`,
      )
    }
  }
}

/** Null for what is no address. A zone, as in fe80::1%eth0, names a network card of this machine and says nothing of a visitor. */
export function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [address = ''] = text.split('%', 1)
  return isIP(address) === 0 ? null : ipaddr.process(address)
}

/** Of several regions the first is the largest, and the one whose code stands in ISO 3166-2. */
function locationIn({ country, registered_country, subdivisions, city }: CityResponse): Location {
  const code = country?.iso_code ?? registered_country?.iso_code ?? null
  const region = subdivisions?.[0]?.iso_code
  // A file may know a city and not its English name.
  const names = city?.names as { en?: string } | undefined
  return {
    country: code,
    region: code !== null && region !== undefined ? `${code}-${region}` : null,
    city: names?.en?.slice(0, longestCity).toWellFormed() ?? null,
  }
}

export async function openLocations(file: string): Promise<Reader<CityResponse>> {
  try {
    return await open(file)
  } catch (error) {
    throw new StartupError(
      `GEOIP_DB cannot be used: ${(error as Error).message}. Set it to a MaxMind country or city file (.mmdb, unpacked).`,
    )
  }
}

async function open(file: string): Promise<Reader<CityResponse>> {
  const bytes = await readFile(file)
  try {
    const reader = new Reader<CityResponse>(bytes, { cache: new LRUCache({ max: 10_000 }) })
    // The description stands at the end, so a file that lost its beginning or middle still has one.
    if (reader.metadata.searchTreeSize < bytes.length) return reader
  } catch {
    // The parser's own message would not help an operator.
  }
  throw new Error(`${file} is not a MaxMind file`)
}
