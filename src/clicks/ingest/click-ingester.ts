/**
 * Writes clicks to the database: rows, counters and events in one transaction. If a batch fails because of its data or
 * takes too long, it is split in halves, down to single clicks. A click that can never be written is quarantined.
 */
import type { DataSource, EntityManager } from 'typeorm'

import { eventPartitions } from '../../events/event.entity.js'
import { getIdTime } from '../../platform/database/ids.js'
import { createPartitions, partitionsBetween } from '../../platform/database/partitions.js'
import type { PartitionedTable } from '../../platform/database/partitions.js'
import type { AddressMode } from '../../platform/util/shown-address.js'
import type { SpanSpec } from '../../platform/util/tracer.js'
import { runTraced } from '../../platform/util/tracing.js'
import { currentMs, currentTime, dayMs } from '../../platform/util/clock.js'
import { type NewClick, clickPartitions } from '../click.entity.js'
import type { Click } from '../journal/click-line.js'
import type { RecordEvents } from './click-events.js'
import { describeClick } from './describe-click.js'
import type { Locations } from './locations.js'
import { Visitors } from './visitors.js'
import { writeClicks } from './write-clicks.js'

interface IngesterOptions {
  locations: Locations
  addressMode: AddressMode
  connect: () => Promise<DataSource>
  /**
   * Sets `eventId` of the clicks that need an event, before they are written. Returns the function that records the
   * events after the clicks were written, or null if no webhook subscribes to clicks.
   */
  assignEventIds: (tx: EntityManager, clicks: readonly NewClick[]) => Promise<RecordEvents | null>
  /** The table of the deliveries that the events cause. Their IDs have the current time. */
  deliveries: PartitionedTable
  quarantine: (click: Click, reason: Error) => Promise<void>
}

interface ConnectedDatabase {
  source: DataSource
  visitors: Visitors
}

export class ClickIngester {
  private readonly partitions = new Set<string>()
  private database: ConnectedDatabase | null = null

  constructor(private readonly options: IngesterOptions) {}

  /** Writes the clicks, or throws while the database is unavailable. Clicks that it already has are skipped. */
  async writeClicks(clicks: readonly Click[]): Promise<void> {
    if (clicks.length === 0) return
    try {
      await runTraced(
        () => describeBatch(clicks),
        () => this.writeBatch(clicks),
      )
    } catch (error) {
      if (classifyError(error) === 'database') throw error
      if (clicks.length === 1) return this.writeOrQuarantine(clicks[0]!)
      const half = Math.ceil(clicks.length / 2)
      await this.writeClicks(clicks.slice(0, half))
      await this.writeClicks(clicks.slice(half))
    }
  }

  async close(): Promise<void> {
    await this.database?.source.destroy()
  }

  private async writeBatch(clicks: readonly Click[]): Promise<void> {
    const { source, visitors } = await this.connect()
    await visitors.loadSalts(clicks)
    const rows = this.describe(clicks, visitors)
    await this.createPartitions(source, rows)
    await source.transaction(async (tx) => {
      const recordEvents = await this.options.assignEventIds(tx, rows)
      const newClicks = await writeClicks(tx, rows)
      await recordEvents?.(newClicks)
    })
  }

  private async writeOrQuarantine(click: Click): Promise<void> {
    // Retention may have dropped the partition after the click was created.
    this.partitions.clear()
    try {
      await this.writeBatch([click])
    } catch (error) {
      if (classifyError(error) !== 'data') throw error
      await this.options.quarantine(click, error as Error)
    }
  }

  private describe(clicks: readonly Click[], visitors: Visitors): NewClick[] {
    const { locations, addressMode } = this.options
    const options = {
      addressMode,
      locate: (address: string) => locations.locate(address),
      now: currentMs(),
      hashVisitor: (click: Click) => visitors.hashVisitor(click),
    }
    return clicks.map((click) => describeClick(click, options))
  }

  /** Connects at the first click, so that an idle service holds no connection for ingest. */
  private async connect(): Promise<ConnectedDatabase> {
    if (!this.database) {
      const source = await this.options.connect()
      this.database = { source, visitors: new Visitors(source) }
    }
    return this.database
  }

  /** Creates missing partitions. Adopted clicks and their events may be older than all partitions. */
  private async createPartitions(source: DataSource, rows: readonly NewClick[]): Promise<void> {
    // Only the days of these clicks, not the range between them: one click may be years off if a clock was wrong.
    const days = new Set(rows.map(({ id }) => Math.floor(getIdTime(id).getTime() / dayMs)))
    const all = [...days].flatMap((day) => {
      const time = new Date(day * dayMs)
      return [clickPartitions, eventPartitions].flatMap((table) => partitionsBetween(table, time, time))
    })
    const now = currentTime()
    all.push(...partitionsBetween(this.options.deliveries, now, now))
    const missing = all.filter(({ name }) => !this.partitions.has(name))
    if (missing.length === 0) return
    await source.transaction((tx) => createPartitions(tx, missing))
    for (const { name } of missing) this.partitions.add(name)
  }
}

/** The span of a batch, which links to the redirects of its clicks. */
function describeBatch(clicks: readonly Click[]): SpanSpec {
  return {
    name: 'ingest clicks',
    kind: 'CONSUMER',
    parent: null,
    links: clicks.flatMap(({ traceparent }) => traceparent || []),
    attributes: { 'link_service.clicks': clicks.length },
  }
}

/** SQLSTATE classes caused by the data: data exception, constraint violation, program limit exceeded. */
const dataClasses = ['22', '23', '54']
const statementTimeout = '57014'

/** Returns why a write failed: invalid data, a timeout, or a database that is unavailable for now. */
function classifyError(error: unknown): 'data' | 'time' | 'database' {
  const { code } = error as { code?: unknown }
  if (code === statementTimeout) return 'time'
  const isData = typeof code === 'string' && code.length === 5 && dataClasses.includes(code.slice(0, 2))
  return isData ? 'data' : 'database'
}
