import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { open, validate } from 'maxmind'
import type { CountryResponse, Reader } from 'maxmind'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { StartupError } from '../config/startup-error.js'

/** Which country an address is in, by a MaxMind file where one is set. The file may be replaced while we run. */
@Injectable()
export class Countries implements OnModuleInit {
  private reader: Reader<CountryResponse> | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  async onModuleInit(): Promise<void> {
    const file = this.settings.geoipDb
    if (file === null) return
    try {
      this.reader = await open<CountryResponse>(file, {
        watchForUpdates: true,
        watchForUpdatesNonPersistent: true,
      })
    } catch (error) {
      throw new StartupError(
        `GEOIP_DB cannot be read: ${(error as Error).message}. Set it to a MaxMind country or city file.`,
      )
    }
  }

  of(address: string): string | null {
    if (!this.reader || !validate(address)) return null
    const found = this.reader.get(address)
    return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? null
  }
}
