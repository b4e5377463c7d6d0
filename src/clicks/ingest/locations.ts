/** Looks up the location of an IP address in the MaxMind country or city file of GEOIP_DB, which may be replaced. */
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'

import { LRUCache } from 'lru-cache'
import { Reader } from 'maxmind'
import type { CityResponse } from 'maxmind'

import { parseAddress } from '../../platform/util/shown-address.js'
import { StartupError } from '../../platform/config/startup-error.js'
import type { IngestLog } from './messages.js'

const watchIntervalMs = 1_000

export interface Location {
  country: string | null
  /** ISO 3166-2 code, which starts with the country code. */
  region: string | null
  city: string | null
}

export const unknownLocation: Location = { country: null, region: null, city: null }
const maxCityLength = 100

export class Locations {
  private readonly onReplaced = () => void this.reload()
  private reader: Reader<CityResponse> | null = null

  /** Without a file, every location is unknown. */
  constructor(
    private readonly file: string | null,
    private readonly log: IngestLog,
  ) {}

  /** Opens the file. An invalid file is only logged: `requireLocations` checks the file when the service starts. */
  async open(): Promise<void> {
    if (this.file === null) return
    try {
      this.reader = await openFile(this.file)
    } catch (error) {
      this.log.warn(
        `Clicks have no country until the GEOIP_DB file is replaced: ${(error as Error).message}.`,
      )
    }
    watchFile(this.file, { persistent: false, interval: watchIntervalMs }, this.onReplaced)
  }

  close(): void {
    if (this.file !== null) unwatchFile(this.file, this.onReplaced)
  }

  /** Returns the location of an IP address. Unknown fields are null, as are all fields if the file is damaged. */
  locate(address: string): Location {
    const parsed = parseAddress(address)
    if (!this.reader || !parsed) return unknownLocation
    // The reader would look up the first bits of an IPv6 address in an IPv4 file.
    if (parsed.kind() === 'ipv6' && this.reader.metadata.ipVersion === 4) return unknownLocation
    try {
      const response = this.reader.get(parsed.toString())
      return response ? toLocation(response) : unknownLocation
    } catch {
      return unknownLocation
    }
  }

  /** Reads the new file. If the file is still being written, its next change calls this again. */
  private async reload(): Promise<void> {
    try {
      this.reader = await openFile(this.file!)
      this.log.info('Loaded the new GEOIP_DB file.')
    } catch (error) {
      this.log.warn(
        `The new GEOIP_DB file cannot be used, so the previous one stays in use: ${(error as Error).message}.`,
      )
    }
  }
}

/** Uses the first of several subdivisions: the largest one, whose code is part of ISO 3166-2. */
function toLocation({ country, registered_country, subdivisions, city }: CityResponse): Location {
  const code = country?.iso_code ?? registered_country?.iso_code ?? null
  const region = subdivisions?.[0]?.iso_code
  // A city may have no English name.
  const names = city?.names as { en?: string } | undefined
  return {
    country: code,
    region: code !== null && region !== undefined ? `${code}-${region}` : null,
    city: names?.en?.slice(0, maxCityLength).toWellFormed() ?? null,
  }
}

/** Fails startup if the file cannot be used. */
export async function requireLocations(file: string): Promise<void> {
  try {
    await openFile(file)
  } catch (error) {
    throw new StartupError(
      `GEOIP_DB cannot be used: ${(error as Error).message}. Set it to a MaxMind country or city file (.mmdb, unpacked).`,
    )
  }
}

async function openFile(file: string): Promise<Reader<CityResponse>> {
  const bytes = await readFile(file)
  try {
    const reader = new Reader<CityResponse>(bytes, { cache: new LRUCache({ max: 10_000 }) })
    // The metadata is at the end, so it can be read even if the start of the file is missing.
    if (reader.metadata.searchTreeSize < bytes.length) return reader
  } catch {
    // The parser's message would not help an operator.
  }
  throw new Error(`${file} is not a MaxMind file`)
}
