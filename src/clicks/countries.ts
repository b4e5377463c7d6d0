/** Which country an address is in, by a MaxMind file where one is set. The file may be replaced while we run. */
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Reader } from 'maxmind'
import type { CountryResponse } from 'maxmind'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { StartupError } from '../config/startup-error.js'

const lookAgainMs = 1_000

@Injectable()
export class Countries implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Countries.name)
  private readonly replaced = () => void this.reload()
  private reader: Reader<CountryResponse> | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  async onModuleInit(): Promise<void> {
    const file = this.settings.geoipDb
    if (file === null) return
    this.reader = await openCountries(file)
    watchFile(file, { persistent: false, interval: lookAgainMs }, this.replaced)
  }

  onModuleDestroy(): void {
    if (this.settings.geoipDb !== null) unwatchFile(this.settings.geoipDb, this.replaced)
  }

  /** Null wherever it is not known. A damaged file must not keep clicks from being recorded. */
  of(address: string): string | null {
    if (!this.reader || !isIP(address)) return null
    const parsed = ipaddr.process(address)
    // A file of IPv4 would take the beginning of any other address for one of its own.
    if (parsed.kind() === 'ipv6' && this.reader.metadata.ipVersion === 4) return null
    try {
      const found = this.reader.get(parsed.toString())
      return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? null
    } catch {
      return null
    }
  }

  /** Also when it is half written: the next change of it is noticed again. */
  private async reload(): Promise<void> {
    try {
      this.reader = await open(this.settings.geoipDb!)
      this.logger.log('The file of GEOIP_DB was replaced, and is read anew.')
    } catch (error) {
      this.logger.warn(
        `The file of GEOIP_DB was replaced by one that cannot be used, so the one before stays: ${(error as Error).message}.`,
      )
    }
  }
}

export async function openCountries(file: string): Promise<Reader<CountryResponse>> {
  try {
    return await open(file)
  } catch (error) {
    throw new StartupError(
      `GEOIP_DB cannot be used: ${(error as Error).message}. Set it to a MaxMind country or city file (.mmdb, unpacked).`,
    )
  }
}

async function open(file: string): Promise<Reader<CountryResponse>> {
  const bytes = await readFile(file)
  try {
    const reader = new Reader<CountryResponse>(bytes, { cache: new LRUCache({ max: 10_000 }) })
    // The description stands at the end, so a file that lost its beginning or middle still has one.
    if (reader.metadata.searchTreeSize < bytes.length) return reader
  } catch {
    // What the parser stumbles over says nothing to an operator.
  }
  throw new Error(`${file} is not a MaxMind file`)
}
