/**
 * Writes clicks to the database: rows, counters and events in one transaction. Clicks that fail for a reason of their
 * data, or take too long, are written in halves, down to single clicks. A click that can never be written is moved to the
 * quarantine.
 */
import type { DataSource, EntityManager } from 'typeorm'

import { eventPartitions } from '../../events/event.entity.js'
import { timeOf } from '../../platform/database/ids.js'
import { makePartitions, partitionsBetween } from '../../platform/database/partitions.js'
import { currentMs } from '../../platform/util/clock.js'
import { dayMs } from '../../platform/util/days.js'
import { type NewClick, clickPartitions } from '../click.entity.js'
import type { Click } from '../journal/click-line.js'
import type { RecordEvents } from './click-events.js'
import { type AddressMode, describeClick } from './describe-click.js'
import type { Locations } from './locations.js'
import { Visitors } from './visitors.js'
import { writeClicks } from './write-clicks.js'

interface IngesterParts {
  locations: Locations
  addressMode: AddressMode
  connect: () => Promise<DataSource>
  /**
   * Marks the clicks that become events, in the transaction that writes them. Returns what records those events once
   * the clicks are written; null when no webhook wants any.
   */
  markEvents: (tx: EntityManager, clicks: readonly NewClick[]) => Promise<RecordEvents | null>
  quarantine: (click: Click, reason: Error) => Promise<void>
}

interface ConnectedDatabase {
  source: DataSource
  visitors: Visitors
}

export class ClickIngester {
  private readonly partitions = new Set<string>()
  private database: ConnectedDatabase | null = null

  constructor(private readonly parts: IngesterParts) {}

  /** Throws while the database cannot take clicks. Clicks that it has already change nothing. */
  async write(clicks: readonly Click[]): Promise<void> {
    if (clicks.length === 0) return
    try {
      await this.writeTogether(clicks)
    } catch (error) {
      if (faultOf(error) === 'database') throw error
      if (clicks.length === 1) return this.writeOrQuarantine(clicks[0]!)
      const half = Math.ceil(clicks.length / 2)
      await this.write(clicks.slice(0, half))
      await this.write(clicks.slice(half))
    }
  }

  async close(): Promise<void> {
    await this.database?.source.destroy()
  }

  private async writeTogether(clicks: readonly Click[]): Promise<void> {
    const { source, visitors } = await this.connected()
    await visitors.prepare(clicks)
    const rows = this.describe(clicks, visitors)
    await this.makePartitions(source, rows)
    await source.transaction(async (tx) => {
      const record = await this.parts.markEvents(tx, rows)
      const fresh = await writeClicks(tx, rows)
      await record?.(fresh)
    })
  }

  private async writeOrQuarantine(click: Click): Promise<void> {
    // Retention may have dropped the partition after the click was created.
    this.partitions.clear()
    try {
      await this.writeTogether([click])
    } catch (error) {
      if (faultOf(error) !== 'data') throw error
      await this.parts.quarantine(click, error as Error)
    }
  }

  private describe(clicks: readonly Click[], visitors: Visitors): NewClick[] {
    const { locations, addressMode } = this.parts
    const how = {
      addressMode,
      locationOf: (address: string) => locations.of(address),
      now: currentMs(),
      visitorOf: (click: Click) => visitors.visitorOf(click),
    }
    return clicks.map((click) => describeClick(click, how))
  }

  /** Connects at the first click, because an idle service needs no connection for ingest. */
  private async connected(): Promise<ConnectedDatabase> {
    if (!this.database) {
      const source = await this.parts.connect()
      this.database = { source, visitors: new Visitors(source) }
    }
    return this.database
  }

  /** Makes the partitions of clicks and their events. An adopted folder may be older than all that there are. */
  private async makePartitions(source: DataSource, rows: readonly NewClick[]): Promise<void> {
    // The days of the IDs, one by one: a clock that ran ahead for a moment must not have the years between made.
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
}

/** Classes of SQLSTATE that mean the data: data exception, constraint violation, program limit exceeded. */
const dataClasses = ['22', '23', '54']
const statementTimeout = '57014'

/** What made a write fail: its clicks, the time it took, or the database, which may work again later. */
function faultOf(error: unknown): 'data' | 'time' | 'database' {
  const { code } = error as { code?: unknown }
  if (code === statementTimeout) return 'time'
  const isData = typeof code === 'string' && code.length === 5 && dataClasses.includes(code.slice(0, 2))
  return isData ? 'data' : 'database'
}
