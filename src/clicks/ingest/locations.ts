/** Finds where an address is, in a MaxMind file of countries or cities if one is set. The file may be replaced. */
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
  /** An ISO 3166-2 code, which begins with that of the country. */
  region: string | null
  city: string | null
}

export const nowhere: Location = { country: null, region: null, city: null }
const longestCity = 100

export class Locations {
  private readonly replaced = () => void this.reload()
  private reader: Reader<CityResponse> | null = null

  /** Without a file no location is known. */
  constructor(
    private readonly file: string | null,
    private readonly log: IngestLog,
  ) {}

  /** If the file breaks, clicks are counted without countries. A start with a broken file is refused. */
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

  /** The location, with null for what is unknown. A damaged file must not keep clicks from being recorded. */
  of(address: string): Location {
    const parsed = addressIn(address)
    if (!this.reader || !parsed) return nowhere
    // A file of IPv4 would take the first bits of an IPv6 address for an IPv4 address.
    if (parsed.kind() === 'ipv6' && this.reader.metadata.ipVersion === 4) return nowhere
    try {
      const found = this.reader.get(parsed.toString())
      return found ? locationIn(found) : nowhere
    } catch {
      return nowhere
    }
  }

  /** Reads the new file. If it is only half written yet, its next change is noticed again. */
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

/**
 * Null when the text is no address. A zone, as in fe80::1%eth0, is left out: it names a network card of this machine.
 */
export function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [address = ''] = text.split('%', 1)
  return isIP(address) === 0 ? null : ipaddr.process(address)
}

/** The first of several regions is the largest one, and its code is in ISO 3166-2. */
function locationIn({ country, registered_country, subdivisions, city }: CityResponse): Location {
  const code = country?.iso_code ?? registered_country?.iso_code ?? null
  const region = subdivisions?.[0]?.iso_code
  // A file may know a city without its English name.
  const names = city?.names as { en?: string } | undefined
  return {
    country: code,
    region: code !== null && region !== undefined ? `${code}-${region}` : null,
    city: names?.en?.slice(0, longestCity).toWellFormed() ?? null,
  }
}

export async function requireLocations(file: string): Promise<void> {
  try {
    await open(file)
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
