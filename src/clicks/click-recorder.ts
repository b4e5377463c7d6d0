import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common'

import { EventSink } from '../events/ports.js'
import { type RunningSettings, SETTINGS } from '../settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { currentMs } from '../platform/util/clock.js'
import type { DurationHistogram } from '../platform/util/duration-histogram.js'
import { requireLocations } from './ingest/locations.js'
import { IngestThread } from './ingest/ingest-thread.js'
import type { IngestSettings } from './ingest/messages.js'
import { ClickJournal } from './journal/click-journal.js'

/** Opens the journal of this process and starts the thread that writes its clicks to the database. */
@Injectable()
export class ClickRecorder implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ClickRecorder.name)
  private opened: ClickJournal | null = null
  private thread: IngestThread | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly events: EventSink,
  ) {}

  get journal(): ClickJournal {
    if (!this.opened) throw new Error('the click journal is not open: the application has not started')
    return this.opened
  }

  /** Time from clicks to their commit. Null before the application has started. */
  get readableDurations(): DurationHistogram | null {
    return this.thread?.readable ?? null
  }

  /** Fails startup if GEOIP_DB cannot be read. The ingest thread opens its own copy. */
  async onModuleInit(): Promise<void> {
    if (this.settings.geoipDb !== null) await requireLocations(this.settings.geoipDb)
  }

  onApplicationBootstrap(): void {
    try {
      this.opened = new ClickJournal({
        dataDir: this.settings.dataDir,
        maxBytes: this.settings.journalMaxBytes,
        now: currentMs,
        onFault: (error) => this.logger.error(`Click journal: ${error.message}`),
      })
    } catch (error) {
      throw new StartupError(
        `The click journal cannot be stored in ${this.settings.dataDir}: ${(error as Error).message}. Set DATA_DIR to a writable folder.`,
      )
    }
    this.thread = new IngestThread({
      settings: () => this.ingestSettings(),
      journal: this.opened,
      onDeliveries: (webhookIds, isProven) => this.events.wake(webhookIds, isProven),
      log: {
        info: (message) => this.logger.log(message),
        warn: (message) => this.logger.warn(message),
      },
    })
    this.thread.start()
  }

  /**
   * Runs after the last redirect was sent, so all clicks are in the journal. Clicks that are not in the database in time
   * are written after the next start.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.thread?.stop(1_000 * this.settings.shutdownGrace)
    await this.opened?.close()
  }

  private ingestSettings(): IngestSettings {
    const { databaseUrl, databaseDirectUrl, clickIp, geoipDb, shortUrlBase } = this.settings
    return { databaseUrl, databaseDirectUrl, clickIp, geoipDb, shortUrlBase }
  }
}
