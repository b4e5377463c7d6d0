/** Takes clicks from the journal into the database, in batches, for as long as the process lives. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { makePartitions, partitionsBetween } from '../database/partitions.js'
import type { NewClick } from './click.entity.js'
import { ClickEvents } from './click-events.js'
import { ClicksRepository } from './clicks.repository.js'
import { Countries } from './countries.js'
import { describeClick } from './describe-click.js'
import type { ClickJournal } from './journal/click-journal.js'
import type { Click } from './journal/click.js'
import { Visitors } from './visitors.js'

const mostPerBatch = 5_000
// Long enough for a batch to gather under load, short enough that nobody waits for a count.
const gatherMs = 50
const restAfterFailureMs = 1_000
const lookAgainMs = 30_000
const drainForMs = 2_000

@Injectable()
export class ClickIngester {
  private readonly logger = new Logger(ClickIngester.name)
  private readonly partitions = new Set<string>()
  private stopping = false
  private wake: () => void = () => undefined
  private readonly stopped: Promise<void>
  private endWaiting: () => void = () => undefined
  private running: Promise<void> | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clicks: ClicksRepository,
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly events: ClickEvents,
  ) {
    this.stopped = new Promise((resolve) => (this.endWaiting = resolve))
  }

  start(journal: ClickJournal): void {
    journal.onWritten(() => {
      this.wake()
    })
    this.running = this.run(journal)
  }

  /** Drains what is there as far as the time allows; the rest is for the next start. */
  async stop(): Promise<void> {
    this.stopping = true
    this.endWaiting()
    await this.running
  }

  private async run(journal: ClickJournal): Promise<void> {
    while (!this.stopping) {
      const written = new Promise<void>((resolve) => (this.wake = resolve))
      const outcome = await this.ingest(journal)
      if (outcome === 'failed') await Promise.race([this.stopped, pause(restAfterFailureMs)])
      if (outcome !== 'nothing') continue
      await Promise.race([written, this.stopped, pause(lookAgainMs)])
      await Promise.race([this.stopped, pause(gatherMs)])
    }
    const deadline = Date.now() + drainForMs
    while (Date.now() < deadline && (await this.ingest(journal)) === 'some');
  }

  private async ingest(journal: ClickJournal): Promise<'some' | 'nothing' | 'failed'> {
    try {
      const batch = await journal.reader.next(mostPerBatch)
      if (!batch) return 'nothing'
      await this.write(batch.clicks)
      await journal.reader.commit(batch.position)
      return 'some'
    } catch (error) {
      this.logger.warn(`Clicks stay in the journal for now: ${(error as Error).message}`)
      return 'failed'
    }
  }

  private async write(clicks: readonly Click[]): Promise<void> {
    await this.visitors.prepare(clicks)
    const rows: NewClick[] = clicks.map((click) =>
      describeClick(click, {
        addressMode: this.settings.clickIp,
        countryOf: (address) => this.countries.of(address),
        visitorOf: (each) => this.visitors.visitorOf(each),
      }),
    )
    await this.makePartitions(clicks)
    await this.dataSource.transaction(async (tx) => {
      await this.events.record(tx, await this.clicks.write(tx, rows))
    })
  }

  /** A journal that was left behind may be older than the partitions made ahead; the event of a click is as old as it. */
  private async makePartitions(clicks: readonly Click[]): Promise<void> {
    const times = clicks.map(({ time }) => time)
    const [oldest, newest] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
    const wanted = ['clicks', 'events'].flatMap((table) => partitionsBetween(table, oldest, newest))
    if (wanted.every(({ name }) => this.partitions.has(name))) return
    await this.dataSource.transaction((tx) => makePartitions(tx, wanted))
    for (const { name } of wanted) this.partitions.add(name)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
