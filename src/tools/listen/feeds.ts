/** The feeds of the API, read a page at a time, with the exact place that has been reached. */
import { LRUCache } from 'lru-cache'

import { subscribesTo } from '../../events/catalogue.js'
import type { EventData } from '../../events/payloads.js'
import type { ClickedLink } from '../../links/link.dto.js'
import type { PatientClient } from '../remote/patient-client.js'
import type { ForwardedEvent } from './forward.js'
import type { Plan } from './listen-plan.js'
import { restOf } from './position.js'
import type { ReachedPlace } from './position.js'

type ReceivedClick = EventData['click']['click']
/** A deleted link is known only by what the click itself tells. */
type ShownLink = ClickedLink | (Omit<ClickedLink, 'short_url'> & { short_url: null })

interface Source<T extends { id: string }> {
  read: ReadPage<T>
  isWanted(item: T): boolean
  /** The time by which the items of both feeds are ordered. */
  time(item: T): string
  event(item: T): ForwardedEvent | Promise<ForwardedEvent>
  look?(page: readonly T[]): void
}

interface FetchedPage<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

type ReadPage<T> = (api: PatientClient, after: string) => Promise<FetchedPage<T>>

const pageSize = 100
const idleMs = 1_000
// A busy link costs no request per click, and yet a changed link shows soon.
const keptMs = 10_000

export class Feed<T extends { id: string } = { id: string }> {
  private waiting: T[] = []
  private next: string
  private readAgainAt = 0

  constructor(
    private readonly api: PatientClient,
    private readonly source: Source<T>,
    private reached: ReachedPlace,
  ) {
    this.next = reached.cursor
  }

  get place(): ReachedPlace {
    return this.reached
  }

  /** When the oldest waiting item happened. Null if none waits. */
  get time(): string | null {
    const [first] = this.waiting
    return first ? this.source.time(first) : null
  }

  get dueInMs(): number {
    return Math.max(0, this.readAgainAt - performance.now())
  }

  /** Reads pages until an item waits or the feed has no more. At its end, a feed is read again after `idleMs`. */
  async refill(): Promise<void> {
    while (this.waiting.length === 0 && this.dueInMs === 0) {
      const { cursor, last } = this.reached
      const page = await this.source.read(this.api, cursor)
      this.source.look?.(page.data)
      this.waiting = restOf(page.data, last).filter((item) => this.source.isWanted(item))
      this.next = cursorOf(page)
      this.readAgainAt = performance.now() + (page.has_more ? 0 : idleMs)
      if (this.waiting.length === 0) this.reached = { cursor: this.next, last: null }
    }
  }

  async first(): Promise<ForwardedEvent> {
    return this.source.event(this.waiting[0]!)
  }

  /** Marks the first item as done. */
  advance(): void {
    const done = this.waiting.shift()!
    this.reached =
      this.waiting.length > 0 ? { ...this.reached, last: done.id } : { cursor: this.next, last: null }
  }
}

export async function endOf(api: PatientClient, read: ReadPage<unknown>): Promise<ReachedPlace> {
  return { cursor: cursorOf(await read(api, 'latest')), last: null }
}

export const readEvents: ReadPage<ForwardedEvent> = (api, after) =>
  api.call((client, options) => client.events.read({ after, limit: pageSize }, options))
export const readClicks: ReadPage<ReceivedClick> = (api, after) =>
  api.call((client, options) => client.clicks.read({ after, limit: pageSize }, options))

/** The feed of events without clicks: it has only those that a webhook wants, and the click feed has all. */
export function eventFeed(api: PatientClient, plan: Plan, links: Links, from: ReachedPlace): Feed {
  const source: Source<ForwardedEvent> = {
    read: readEvents,
    isWanted: ({ type }) => type !== 'click' && subscribesTo(plan.events, type),
    time: ({ timestamp }) => timestamp,
    event: (event) => event,
    look: (page) => {
      for (const { type, data } of page)
        if (type.startsWith('link.')) links.learn((data as EventData['link.created']).link)
    },
  }
  return new Feed(api, source, from)
}

export function clickFeed(api: PatientClient, links: Links, from: ReachedPlace): Feed {
  const source: Source<ReceivedClick> = {
    read: readClicks,
    isWanted: () => true,
    time: ({ occurred_at }) => occurred_at,
    // The id of a click's event has the digits of the click's id, even if no webhook wants it and it is not recorded.
    event: async (click) => ({
      id: click.id.replace(/^clk_/, 'evt_'),
      type: 'click',
      timestamp: click.occurred_at,
      data: { click, link: await links.of(click) },
    }),
  }
  return new Feed(api, source, from)
}

export function oldestOf(feeds: readonly Feed[]): Feed | null {
  return feeds.reduce<Feed | null>((oldest, feed) => {
    if (feed.time === null) return oldest
    return oldest?.time == null || feed.time < oldest.time ? feed : oldest
  }, null)
}

/** The cursor of a page, which is never null in a feed. */
function cursorOf({ next_cursor }: FetchedPage<unknown>): string {
  return next_cursor ?? ''
}

/** The links of clicks, in the form in which events of clicks show them. */
export class Links {
  private readonly known = new LRUCache<string, ShownLink>({ max: 1_000, ttl: keptMs })

  constructor(private readonly api: PatientClient) {}

  /** Remembers a link from an event about it, which saves a request. */
  learn(link: ClickedLink): void {
    this.known.set(link.id, shown(link))
  }

  async of(click: ReceivedClick): Promise<ShownLink> {
    const known = this.known.get(click.link_id)
    if (known) return known
    const found = await this.api.find((client, options) => client.links.get(click.link_id, options))
    const link = found ? shown(found) : remainsOf(click)
    this.known.set(click.link_id, link)
    return link
  }
}

function shown({ id, slug, short_url, url, title, tags, external_id }: ClickedLink): ClickedLink {
  return { id, slug, short_url, url, title, tags, external_id }
}

function remainsOf({ link_id, slug, url }: ReceivedClick): ShownLink {
  return { id: link_id, slug, short_url: null, url, title: null, tags: [], external_id: null }
}
