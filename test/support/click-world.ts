/**
 * Links with random clicks, which are also kept in memory to compare analytics with a plain count. All randomness
 * depends on the seed.
 */
import { DataSource } from 'typeorm'

import { mayDropClicks } from '../../src/analytics/rolling/kept-clicks.js'
import { CheckpointsRepository } from '../../src/analytics/rolling/checkpoints.repository.js'
import { Roller } from '../../src/analytics/rolling/roller.js'
import { type NewClick, clickPartitions } from '../../src/clicks/click.entity.js'
import { writeClicks } from '../../src/clicks/ingest/write-clicks.js'
import { decodeId, lowestIdAt, newId } from '../../src/platform/database/ids.js'
import {
  dropPartitionsBefore,
  createPartitions,
  partitionsBetween,
} from '../../src/platform/database/partitions.js'
import { createClick, readIdentity } from './factories/clicks.js'
import { makeLink } from './factories/links.js'
import { seeded } from './random.js'
import type { Service } from './service.js'
import { waitFor } from './wait-for.js'

export const dayMs = 86_400_000

export class Random {
  /** Returns a number from 0 to 1. */
  readonly nextNumber: () => number

  constructor(seed: number) {
    this.nextNumber = seeded(seed)
  }

  nextInteger(count: number): number {
    return Math.floor(this.nextNumber() * count)
  }

  chance(share: number): boolean {
    return this.nextNumber() < share
  }

  pick<T>(items: readonly T[]): T {
    return items[this.nextInteger(items.length)]!
  }
}

export interface WorldLink {
  id: string
  linkId: string
  workspaceId: string
  slug: string
  tags: string[]
}

const tags = ['sale', 'mail', 'print']
const cities = [
  ['DE', 'DE-BE', 'Berlin'],
  ['DE', 'DE-BY', 'München'],
  ['FR', 'FR-IDF', 'Paris'],
  ['US', 'US-TX', 'Paris'],
] as const
const texts = ['a', 'B', 'ä ö', '"quoted"', '{x,y}', "it's", 'NULL', '\\', '=1+1', '🌱']

export class ClickWorld {
  readonly clicks: NewClick[] = []
  readonly links: WorldLink[] = []
  readonly roller: Roller
  private readonly database: DataSource
  private hasDropped = false

  constructor(
    private readonly service: Service,
    readonly random: Random,
    readonly now = Date.now(),
    readonly days = 100,
  ) {
    this.database = service.app.get(DataSource)
    this.roller = new Roller(this.database, new CheckpointsRepository())
  }

  async makeLinks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const own = tags.filter(() => this.random.chance(0.4))
      const link = await makeLink(this.service, { tags: own })
      this.links.push({ ...(await readIdentity(this.service, link)), id: link.id, tags: own })
    }
  }

  /** Returns a random click, mostly from the last days and sometimes much older. */
  createClick(days = this.days): NewClick {
    const { random } = this
    const age = random.chance(0.5) ? random.nextNumber() * 3 : random.nextNumber() ** 2 * days
    const occurredAt = new Date(Math.floor(this.now - age * dayMs))
    const { linkId, workspaceId, slug } =
      this.links[Math.floor(random.nextNumber() ** 2 * this.links.length)]!
    const [country, region, city] = random.chance(0.8) ? random.pick(cities) : [null, null, null]
    const maybe = (values: readonly string[]) => (random.chance(0.6) ? random.pick(values) : null)
    return createClick(
      { linkId, workspaceId, slug },
      {
        id: lowestIdAt(occurredAt).slice(0, 13) + newId().slice(13),
        occurredAt,
        bot: random.chance(0.2),
        country,
        region: random.chance(0.8) ? region : null,
        city: random.chance(0.7) ? city : null,
        referrerHost: maybe(['news.example', 'search.example', 'a.example']),
        browser: maybe(['Firefox', 'Chrome']),
        os: maybe(['Linux', 'iOS']),
        device: maybe(['desktop', 'mobile']),
        language: maybe(['de-DE', 'en']),
        utmSource: maybe(texts),
        utmMedium: maybe(['email', 'poster']),
        utmCampaign: maybe(texts),
        utmTerm: maybe(['x']),
        utmContent: maybe(['y', 'z']),
        source: random.chance(0.1) ? 'qr' : null,
        visitor: random.chance(0.95) ? `v${random.nextInteger(40)}` : null,
      },
    )
  }

  /** Writes clicks in one transaction, as the ingester does. Sometimes repeats clicks of an earlier batch. */
  async recordClicks(clicks: readonly NewClick[]): Promise<void> {
    // The ingester repeats a batch within seconds, so never after retention has dropped its clicks.
    const again = this.random.chance(0.3) && !this.hasDropped ? this.clicks.slice(-3) : []
    await this.database.transaction(async (tx) => {
      for (const { id } of clicks) {
        const time = new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
        await createPartitions(tx, partitionsBetween(clickPartitions, time, time))
      }
    })
    await this.database.transaction((tx) => writeClicks(tx, [...clicks, ...again]))
    this.clicks.push(...clicks)
  }

  async makePartition(time: Date): Promise<void> {
    await this.database.transaction((tx) =>
      createPartitions(tx, partitionsBetween(clickPartitions, time, time)),
    )
  }

  async recordRandomClicks(count: number, days = this.days): Promise<void> {
    await this.recordClicks(Array.from({ length: count }, () => this.createClick(days)))
  }

  /**
   * Counts all recorded clicks. Retries while open transactions delay clicks, or while the job of the service holds the
   * lock.
   */
  async rollAll(): Promise<void> {
    await waitFor('all clicks to be counted', async () => {
      await this.roller.rollWorkspaces(true)
      const [{ waiting }] = await this.database.query<[{ waiting: number }]>(`
        SELECT count(*)::int AS waiting FROM clicks LEFT JOIN analytics_places AS place USING (workspace_id)
        WHERE clicks.tx >= coalesce(place.tx, 0)`)
      return waiting === 0
    })
  }

  /** Drops counted clicks, as retention does. */
  async dropBefore(time: number): Promise<void> {
    this.hasDropped = true
    await this.database.transaction((tx) =>
      dropPartitionsBefore(tx, clickPartitions, new Date(time), (each, partition) =>
        mayDropClicks(each, partition),
      ),
    )
  }

  getLink(id: string): WorldLink {
    const linkId = decodeId('lnk', id)
    return this.links.find((link) => link.linkId === linkId)!
  }

  getTags({ linkId }: NewClick): string[] {
    return this.links.find((link) => link.linkId === linkId)!.tags
  }
}
