import { Inject, Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { StartupError } from '../config/startup-error.js'
import { ClickIngester } from './click-ingester.js'
import { ClickJournal } from './journal/click-journal.js'

/** Holds the journal of this process, and the ingester that drains it. */
@Injectable()
export class ClickRecorder
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(ClickRecorder.name)
  private opened: ClickJournal | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly ingester: ClickIngester,
  ) {}

  get journal(): ClickJournal {
    if (!this.opened) throw new Error('the click journal is opened when the application starts')
    return this.opened
  }

  onApplicationBootstrap(): void {
    try {
      this.opened = new ClickJournal({
        dataDir: this.settings.dataDir,
        maxBytes: this.settings.journalMaxBytes,
        onFault: (error) => this.logger.error(`The click journal: ${error.message}`),
      })
    } catch (error) {
      throw new StartupError(
        `The click journal cannot be kept in ${this.settings.dataDir}: ${(error as Error).message}. Set DATA_DIR to a folder that can be written.`,
      )
    }
    this.ingester.start(this.opened)
  }

  /** While the database is still there. Clicks that come after this wait in the journal for the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.ingester.stop()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.close()
  }
}
