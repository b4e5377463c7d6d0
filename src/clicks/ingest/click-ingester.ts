/**
 * Takes clicks from the journal into the database for as long as the process lives, in a thread of its own. While one
 * batch is being written, the next one is made ready. Batches are committed to the journal in their order, so that its
 * checkpoint never passes a batch that is not in the database.
 */
import type { DataSource, EntityManager } from 'typeorm'

import { eventPartitions } from '../../events/event.entity.js'
import { timeOf } from '../../platform/database/ids.js'
import { makePartitions, partitionsBetween } from '../../platform/database/partitions.js'
import { currentMs } from '../../platform/util/clock.js'
import { dayMs } from '../../platform/util/days.js'
import { type AddressMode, describeClick } from './describe-click.js'
import { type NewClick, clickPartitions } from '../click.entity.js'
import type { ClickBatch, ClickReader } from '../journal/click-reader.js'
import type { Click } from '../journal/click-line.js'
import type { RecordEvents } from './click-events.js'
import type { Locations } from './locations.js'
import type { IngestLog, Signals } from './messages.js'
import { MachineLoad, ingestPace, measureEveryMs, restAfter, unbound } from './ingest-pace.js'
import { Visitors } from './visitors.js'
import { writeClicks } from './write-clicks.js'

/** The number of batches that are written at the same time. */
export const writers = 2
// The pause after a batch. Few clicks are counted soon; many are gathered, because larger batches cost less per click.
const gatherMs = { few: 50, many: 200 }
const manyClicks = 100
const restAfterFailureMs = 1_000
const lookAgainMs = 30_000

interface IngesterParts {
  reader: ClickReader
  signals: Signals
  locations: Locations
  addressMode: AddressMode
  /** Its data source needs as many connections as there are writers. */
  connect: () => Promise<DataSource>
  /**
   * Marks the clicks that become events, in the transaction that writes them. Returns what records those events once
   * the clicks are written; null when no webhook wants any.
   */
  markEvents: (tx: EntityManager, clicks: readonly NewClick[]) => Promise<RecordEvents | null>
  log: IngestLog
}

interface ConnectedDatabase {
  source: DataSource
  visitors: Visitors
}

/** The number of clicks that were taken. */
type IngestOutcome = number | 'failed'

export class ClickIngester {
  private readonly machine: MachineLoad
  private readonly partitions = new Set<string>()
  private readonly underWay: Promise<void>[] = []
  private database: ConnectedDatabase | null = null
  /** Resolves when the last batch has the number of its transaction, or has failed without one. */
  private numbered: Promise<void> = Promise.resolve()
  private isFailing = false
  private deadline = Infinity
  private isAsleep = false
  private wakes = 0
  private endPause: () => void = () => undefined

  constructor(private readonly parts: IngesterParts) {
    this.machine = new MachineLoad(parts.signals)
  }

  /** Called when there is something to read. */
  wake(): void {
    this.wakes++
    if (this.isAsleep) this.endPause()
  }

  /** Resolves after `stop`, once the ingester has drained what there was time for. */
  async run(): Promise<void> {
    while (this.deadline === Infinity) {
      const outcome = await this.ingest()
      if (outcome === 'failed') await this.pause(restAfterFailureMs)
      else if (outcome === 0) await this.sleep()
      else await this.pause(outcome < manyClicks ? gatherMs.few : gatherMs.many)
    }
    while (Date.now() < this.deadline && hasTaken(await this.ingest()));
    await this.parts.reader.close()
    await this.database?.source.destroy()
  }

  /** Clicks that are not drained within this time are left for the next start. */
  stop(withinMs: number): void {
    this.deadline = Date.now() + withinMs
    this.endPause()
  }

  private async sleep(): Promise<void> {
    const { signals } = this.parts
    const { wakes } = this
    signals.sleep()
    // Clicks that were written before the flag could be seen have woken nobody, so look once more.
    if ((await this.ingest()) === 0) {
      this.isAsleep = true
      if (this.wakes === wakes) await this.pause(lookAgainMs)
      this.isAsleep = false
      await this.pause(gatherMs.few)
    }
    signals.wake()
  }

  private async ingest(): Promise<IngestOutcome> {
    const { reader, log } = this.parts
    try {
      const outcome = await this.takeAll()
      await Promise.all(this.underWay)
      if (this.isFailing && hasTaken(outcome)) {
        log.info('Clicks reach the database again.')
        this.isFailing = false
      }
      return outcome
    } catch (error) {
      await Promise.allSettled(this.underWay)
      await reader.rewind()
      if (!this.isFailing) log.warn(`Clicks stay in the journal for now: ${(error as Error).message}`)
      this.isFailing = true
      return 'failed'
    } finally {
      this.underWay.length = 0
    }
  }

  /** Takes batches until one is not full, or the time to stop has come. */
  private async takeAll(): Promise<number> {
    let taken = 0
    while (Date.now() < this.deadline) {
      const pace = this.deadline === Infinity ? ingestPace(this.machine.read()) : unbound
      const begunAt = performance.now()
      const batch = await this.parts.reader.next(pace.mostPerBatch)
      if (!batch) break
      taken += batch.clicks.length
      const rows = await this.describe(batch.clicks)
      if (this.underWay.length >= writers) await this.underWay.shift()
      const committed = this.commit(batch, this.write(rows, batch.mayRepeat), this.underWay.at(-1))
      // A later `await` of the same promise handles the rejection.
      committed.catch(() => undefined)
      this.underWay.push(committed)
      const { length } = batch.clicks
      if (pace !== unbound) {
        await Promise.all(this.underWay)
        this.underWay.length = 0
        await this.rest(restAfter(length, performance.now() - begunAt, pace))
      }
      if (!batch.isFull) break
    }
    return taken
  }

  /** Ends only when the write has ended, also where it fails because of the batch before. */
  private async commit(batch: ClickBatch, write: Promise<void>, before?: Promise<void>): Promise<void> {
    await Promise.allSettled([write, before])
    await Promise.all([write, before])
    await batch.commit()
  }

  private async describe(clicks: readonly Click[]): Promise<NewClick[]> {
    const { locations, addressMode } = this.parts
    const { visitors } = await this.connected()
    await visitors.prepare(clicks)
    const now = currentMs()
    return clicks.map((click) =>
      describeClick(click, {
        addressMode,
        locationOf: (address) => locations.of(address),
        now,
        visitorOf: (each) => visitors.visitorOf(each),
      }),
    )
  }

  /** The feeds are in the order of transaction numbers, so each batch takes its number before the next one does. */
  private async write(rows: readonly NewClick[], mayRepeat: boolean): Promise<void> {
    const { source } = await this.connected()
    const before = this.numbered
    let isNumbered: () => void = () => undefined
    this.numbered = new Promise((resolve) => (isNumbered = resolve))
    try {
      await this.makePartitions(source, rows)
      await source.transaction(async (tx) => {
        await before
        await tx.query('SELECT pg_current_xact_id()')
        isNumbered()
        await this.writeIn(tx, rows, mayRepeat)
      })
    } finally {
      isNumbered()
    }
  }

  private async writeIn(tx: EntityManager, rows: readonly NewClick[], mayRepeat: boolean): Promise<void> {
    const record = await this.parts.markEvents(tx, rows)
    const fresh = await writeClicks(tx, rows, mayRepeat)
    await record?.(fresh)
  }

  /** Connects at the first click, because an idle service needs no connections for ingest. */
  private async connected(): Promise<ConnectedDatabase> {
    if (!this.database) {
      const source = await this.parts.connect()
      this.database = { source, visitors: new Visitors(source) }
    }
    return this.database
  }

  /** Makes the partitions of clicks and their events. An orphaned folder may be older than all that there are. */
  private async makePartitions(source: DataSource, rows: readonly NewClick[]): Promise<void> {
    // The days of the ids, one by one: a clock that ran ahead for a moment must not have the years between made.
    const days = new Set(rows.map(({ id }) => Math.floor(timeOf(id).getTime() / dayMs)))
    const all = [...days].flatMap((day) => {
      const time = new Date(day * dayMs)
      return [clickPartitions, eventPartitions].flatMap((table) => partitionsBetween(table, time, time))
    })
    const wanted = all.filter(({ name }) => !this.partitions.has(name))
    if (wanted.length === 0) return
    await source.transaction((tx) => makePartitions(tx, wanted))
    for (const { name } of wanted) this.partitions.add(name)
  }

  /** Rests, but no longer than the rush of visitors lasts. */
  private async rest(ms: number): Promise<void> {
    const endsAt = performance.now() + ms
    for (let left = ms; left > 0 && this.deadline === Infinity; left = endsAt - performance.now()) {
      await this.pause(Math.min(left, measureEveryMs))
      if (ingestPace(this.machine.read()) === unbound) return
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.deadline !== Infinity) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function hasTaken(outcome: IngestOutcome): boolean {
  return outcome !== 'failed' && outcome > 0
}
