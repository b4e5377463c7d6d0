/** Reads the feeds of the API page by page, and tracks the exact position. */
import { LRUCache } from 'lru-cache'

import { subscribesTo } from '../../events/catalog.js'
import type { EventData } from '../../events/payloads.js'
import type { ClickedLink } from '../../links/link.dto.js'
import type { PatientClient } from '../remote/patient-client.js'
import type { ForwardedEvent } from './forwarder.js'
import type { Plan } from './listen-plan.js'
import { unfinishedItems } from './position.js'
import type { FeedPosition } from './position.js'

type ReceivedClick = EventData['click']['click']
/** For a deleted link, only the fields of the click are known. */
type ShownLink = ClickedLink | (Omit<ClickedLink, 'short_url'> & { short_url: null })

interface Source<T extends { id: string }> {
  read: ReadPage<T>
  isWanted(item: T): boolean
  /** Time by which the items of both feeds are ordered. */
  time(item: T): string
  event(item: T): ForwardedEvent | Promise<ForwardedEvent>
  onPage?(page: readonly T[]): void
}

interface FetchedPage<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

type ReadPage<T> = (api: PatientClient, after: string) => Promise<FetchedPage<T>>

const pageSize = 100
const pollIntervalMs = 1_000
// Long enough to avoid a request for each click of a busy link.
const linkCacheMs = 10_000

export class Feed<T extends { id: string } = { id: string }> {
  private waiting: T[] = []
  private next: string
  private readAgainAt = 0

  constructor(
    private readonly api: PatientClient,
    private readonly source: Source<T>,
    private current: FeedPosition,
  ) {
    this.next = current.cursor
  }

  get position(): FeedPosition {
    return this.current
  }

  /** Time of the oldest waiting item, or null. */
  get time(): string | null {
    const [first] = this.waiting
    return first ? this.source.time(first) : null
  }

  get dueInMs(): number {
    return Math.max(0, this.readAgainAt - performance.now())
  }

  /** Reads pages until an item is waiting. At the end of the feed, polls at most once per `pollIntervalMs`. */
  async refill(): Promise<void> {
    while (this.waiting.length === 0 && this.dueInMs === 0) {
      const { cursor, last } = this.current
      const page = await this.source.read(this.api, cursor)
      this.source.onPage?.(page.data)
      this.waiting = unfinishedItems(page.data, last).filter((item) => this.source.isWanted(item))
      this.next = getCursor(page)
      this.readAgainAt = performance.now() + (page.has_more ? 0 : pollIntervalMs)
      if (this.waiting.length === 0) this.current = { cursor: this.next, last: null }
    }
  }

  async first(): Promise<ForwardedEvent> {
    return this.source.event(this.waiting[0]!)
  }

  /** Moves past the first item. */
  advance(): void {
    const finished = this.waiting.shift()!
    this.current =
      this.waiting.length > 0 ? { ...this.current, last: finished.id } : { cursor: this.next, last: null }
  }
}

export async function readEnd(api: PatientClient, read: ReadPage<unknown>): Promise<FeedPosition> {
  return { cursor: getCursor(await read(api, 'latest')), last: null }
}

export const readEvents: ReadPage<ForwardedEvent> = (api, after) =>
  api.call((client, options) => client.events.read({ after, limit: pageSize }, options))
export const readClicks: ReadPage<ReceivedClick> = (api, after) =>
  api.call((client, options) => client.clicks.read({ after, limit: pageSize }, options))

/** Returns the feed of events without clicks. The event feed has only clicks that a webhook subscribes to. */
export function eventFeed(api: PatientClient, plan: Plan, links: LinkLookup, from: FeedPosition): Feed {
  const source: Source<ForwardedEvent> = {
    read: readEvents,
    isWanted: ({ type }) => type !== 'click' && subscribesTo(plan.events, type),
    time: ({ timestamp }) => timestamp,
    event: (event) => event,
    onPage: (page) => {
      for (const { type, data } of page)
        if (type.startsWith('link.')) links.addLink((data as EventData['link.created']).link)
    },
  }
  return new Feed(api, source, from)
}

export function clickFeed(api: PatientClient, links: LinkLookup, from: FeedPosition): Feed {
  const source: Source<ReceivedClick> = {
    read: readClicks,
    isWanted: () => true,
    time: ({ occurred_at }) => occurred_at,
    // The event of a click has the ID of the click with another prefix, even if no event was recorded.
    event: async (click) => ({
      id: click.id.replace(/^clk_/, 'evt_'),
      type: 'click',
      timestamp: click.occurred_at,
      data: { click, link: await links.findLink(click) },
    }),
  }
  return new Feed(api, source, from)
}

export function getOldest(feeds: readonly Feed[]): Feed | null {
  return feeds.reduce<Feed | null>((oldest, feed) => {
    if (feed.time === null) return oldest
    return oldest?.time == null || feed.time < oldest.time ? feed : oldest
  }, null)
}

/** Returns the cursor of a page, which is never null in a feed. */
function getCursor({ next_cursor }: FetchedPage<unknown>): string {
  return next_cursor ?? ''
}

/** Looks up and caches the links of clicks. */
export class LinkLookup {
  private readonly cache = new LRUCache<string, ShownLink>({ max: 1_000, ttl: linkCacheMs })

  constructor(private readonly api: PatientClient) {}

  /** Caches a link from an event, which saves a request. */
  addLink(link: ClickedLink): void {
    this.cache.set(link.id, clickedFields(link))
  }

  async findLink(click: ReceivedClick): Promise<ShownLink> {
    const cached = this.cache.get(click.link_id)
    if (cached) return cached
    const found = await this.api.find((client, options) => client.links.get(click.link_id, options))
    const link = found ? clickedFields(found) : toDeletedLink(click)
    this.cache.set(click.link_id, link)
    return link
  }
}

function clickedFields({ id, slug, short_url, url, title, tags, external_id }: ClickedLink): ClickedLink {
  return { id, slug, short_url, url, title, tags, external_id }
}

function toDeletedLink({ link_id, slug, url }: ReceivedClick): ShownLink {
  return { id: link_id, slug, short_url: null, url, title: null, tags: [], external_id: null }
}
