/**
 * Random webhooks and changes, and for each event the reasons why webhooks do not receive it. A change whose
 * response was cut off by a kill is read back to learn whether it was committed.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { Random } from '../../support/click-world.js'
import { firefox } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import type { FilterRig } from './filter-rig.js'
import { findExclusion } from './plain-filter.js'
import type { Exclusion, PlainEvent, PlainWebhook } from './plain-filter.js'

const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const tagPool = ['sale', 'mail', 'print', 'shop']
const eventLists = [
  ['*'],
  ['click'],
  ['link.updated'],
  ['link.created', 'link.deleted'],
  ['link.updated', 'click'],
  ['link.created', 'link.updated', 'link.deleted', 'click'],
]
const fieldPool = ['title', 'note', 'tags', 'enabled', 'url']
const longestDelayBeforeKillMs = 15

export interface WorldWebhook extends PlainWebhook {
  id: string
  path: string
  isOrdered: boolean
  /** `held`: paused until the end. `toggled`: sometimes paused, and resumed before the comparison. */
  pauses: 'never' | 'toggled' | 'held'
  isPaused: boolean
  /** Number of occurrences before the webhook got its current filter. */
  changedAt: number
}

interface WorldLink {
  id: string
  slug: string
  fields: Record<string, unknown> & { tags: string[] }
  updatedAt: string
  isDeleted: boolean
  /** Number of occurrences before the last change of the link. */
  changedAt: number
}

/** An event, or a click without one. */
export interface Occurrence {
  event: PlainEvent
  /** For clicks. */
  visit: number | null
  /** By webhook. Null if the webhook should receive the event. */
  exclusions: Map<WorldWebhook, Exclusion | null>
}

interface Change {
  send: () => Promise<{ status: number; body: any; text: string }>
  /** Returns the changed link, or null if the change was not committed. */
  readBack: () => Promise<any>
  apply: (link: any) => void
}

interface RecordedClick {
  id: string
  event_id: string | null
  referrer: string
}

export class FilterWorld {
  readonly webhooks: WorldWebhook[] = []
  readonly links: WorldLink[] = []
  readonly occurrences: Occurrence[] = []
  /** The recorded clicks, by number of the visit. */
  readonly clicks = new Map<number, RecordedClick>()
  private readonly tokens = new Map<string, string>()
  private clickCursor = ''
  private visits = 0
  private changes = 0

  constructor(
    private readonly rig: FilterRig,
    private readonly random: Random,
  ) {}

  async createWebhook(): Promise<void> {
    const { random } = this
    const path = `/${this.webhooks.length}`
    const tokenTags = random.chance(0.3) ? this.pickSome(tagPool) : null
    const plain = { events: random.pick(eventLists), filter: this.createFilter(), tokenTags }
    // Attributes that do not change which events are sent.
    const attributes = {
      ordered: random.chance(0.3),
      batch: random.chance(0.3) ? { max: 2 + random.nextInteger(20), within: '1s' } : null,
    }
    const { events, filter } = plain
    const body = { url: this.rig.receiverOrigin + path, events, filter, ...attributes }
    const { id } = await this.rig.callFor(201, 'POST', '/v1/webhooks', body, await this.getToken(tokenTags))
    const pauses = random.pick(['never', 'never', 'never', 'toggled', 'held'] as const)
    const webhook = { ...plain, id, path, pauses, isOrdered: attributes.ordered, isPaused: false }
    this.webhooks.push({ ...webhook, changedAt: this.occurrences.length })
    if (pauses === 'held') await this.setPaused(this.webhooks.at(-1)!, true)
  }

  async changeFilter(): Promise<void> {
    await this.setFilter(this.random.pick(this.webhooks), this.createFilter())
  }

  /** After this, clicks of all links but one have no event. */
  async filterByOneLink(): Promise<void> {
    const filter = { link_ids: [this.links[0]!.id] }
    for (const webhook of this.webhooks) await this.setFilter(webhook, filter)
  }

  private async setFilter(webhook: WorldWebhook, newFilter: PlainWebhook['filter']): Promise<void> {
    webhook.filter = newFilter
    const filter = { link_ids: null, tags: null, human_only: null, changed_fields: null, ...webhook.filter }
    await this.rig.callFor(200, 'PATCH', `/v1/webhooks/${webhook.id}`, { filter })
    webhook.changedAt = this.occurrences.length
  }

  async resumeToggled(): Promise<void> {
    for (const webhook of this.webhooks)
      if (webhook.pauses === 'toggled' && webhook.isPaused) await this.setPaused(webhook, false)
  }

  async act(count: number): Promise<void> {
    for (let i = 0; i < count; i++)
      if (this.random.chance(0.2)) await this.visitLinks(6)
      else if (this.random.chance(0.1)) await this.togglePause()
      else await this.perform(this.planChange())
  }

  async createLinks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.perform(this.planCreation())
  }

  async visitLinks(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.visitLink()))
    await this.waitForClicks()
  }

  async changeDuringKill(): Promise<void> {
    const change = this.planChange()
    const sent = change.send().catch(() => null)
    await pause(this.random.nextInteger(longestDelayBeforeKillMs))
    await this.killApi()
    const response = await sent
    // A deletion has no body.
    const answered = response !== null && response.status < 300 ? (response.body ?? {}) : null
    const link = response === null ? await change.readBack() : answered
    if (link !== null) change.apply(link)
  }

  async visitDuringKill(): Promise<void> {
    const cut = new Map<number, PlainEvent>()
    const visits = Array.from({ length: 12 }, () => this.visitLink(cut))
    await Promise.race(visits)
    await pause(this.random.nextInteger(longestDelayBeforeKillMs))
    await this.killApi()
    await Promise.all(visits)
    // Clicks that the killed process left are recorded before those of its successor.
    await this.visitLink()
    await this.waitForClicks()
    for (const [visit, event] of cut) if (this.clicks.has(visit)) this.record(event, visit)
  }

  private async killApi(): Promise<void> {
    this.rig.killApi()
    const killedAt = new Date()
    await this.rig.restartApi()
    // PostgreSQL finishes the statement of a disconnected client.
    await waitFor('the transactions of the killed process to end', async () => {
      const transactions = await this.rig.db.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL AND xact_start < $1',
        [killedAt],
      )
      return transactions.length === 0
    })
  }

  private async perform(change: Change): Promise<void> {
    const { status, body, text } = await change.send()
    if (status >= 300) throw new Error(`A change was rejected: ${text}`)
    change.apply(body)
  }

  private planChange(): Change {
    const live = this.links.filter(({ isDeleted }) => !isDeleted)
    if (live.length < 5 || this.random.chance(0.15)) return this.planCreation()
    const link = this.random.pick(live)
    return this.random.chance(0.15) ? this.planDeletion(link) : this.planUpdate(link)
  }

  private planCreation(): Change {
    const slug = `filtered-${this.changes++}`
    const fields = { url: 'https://target.example/', title: null, note: null, enabled: true }
    const tags = this.random.chance(0.2) ? [] : this.pickSome(tagPool)
    return {
      send: () => this.rig.call('POST', '/v1/links', { slug, url: fields.url, tags }),
      readBack: () => this.readLink(`by-slug/${slug}`),
      apply: ({ id, updated_at }) => {
        const link = { id, slug, fields: { ...fields, tags }, updatedAt: updated_at, isDeleted: false }
        this.recordChange('link.created', { ...link, changedAt: 0 }, tags)
        this.links.push({ ...link, changedAt: this.occurrences.length })
      },
    }
  }

  /** Sometimes sets a field to its current value. An update that changes nothing creates no event. */
  private planUpdate(link: WorldLink): Change {
    const values: Record<string, unknown> = {
      title: `Title ${this.random.nextInteger(2)}`,
      note: `Note ${this.random.nextInteger(2)}`,
      tags: this.random.chance(0.2) ? [] : this.pickSome(tagPool),
      enabled: this.random.chance(0.7),
      url: `https://target.example/${this.random.nextInteger(3)}`,
    }
    const patch = Object.fromEntries(this.pickSome(fieldPool, 2).map((name) => [name, values[name]]))
    const changedFields = Object.keys(patch).filter(
      (name) => JSON.stringify(patch[name]) !== JSON.stringify(link.fields[name]),
    )
    return {
      send: () => this.rig.call('PATCH', `/v1/links/${link.id}`, patch),
      readBack: async () => {
        const now = await this.readLink(link.id)
        return now.updated_at === link.updatedAt ? null : now
      },
      apply: ({ updated_at }) => {
        const previousTags = link.fields.tags
        Object.assign(link.fields, patch)
        link.updatedAt = updated_at
        if (changedFields.length > 0) this.recordChange('link.updated', link, previousTags, changedFields)
      },
    }
  }

  private planDeletion(link: WorldLink): Change {
    return {
      send: () => this.rig.call('DELETE', `/v1/links/${link.id}`),
      readBack: async () => ((await this.readLink(link.id)) === null ? {} : null),
      apply: () => {
        link.isDeleted = true
        this.recordChange('link.deleted', link, link.fields.tags)
      },
    }
  }

  private async readLink(path: string): Promise<any> {
    const { status, body } = await this.rig.call('GET', `/v1/links/${path}`)
    return status === 404 ? null : body
  }

  /** Visits a random link. Adds the visit to `cut` if the process was killed before it responded. */
  private async visitLink(cut?: Map<number, PlainEvent>): Promise<void> {
    const visit = this.visits++
    const isBot = this.random.chance(0.3)
    const { id, slug, fields } = this.random.pick(this.links.filter(({ isDeleted }) => !isDeleted))
    const event = { type: 'click' as const, linkId: id, tags: [...fields.tags], isBot }
    const plain = { ...event, previousTags: [], changedFields: [] }
    const headers = { 'user-agent': isBot ? googlebot : firefox, referer: `https://visits.example/${visit}` }
    try {
      const { status } = await fetch(`${this.rig.origin}/${slug}`, { redirect: 'manual', headers })
      if (status === 302) this.record(plain, visit)
    } catch (error) {
      if (!cut) throw error
      cut.set(visit, plain)
    }
  }

  private async waitForClicks(): Promise<void> {
    const expected = this.occurrences.flatMap(({ visit }) => visit ?? [])
    await waitFor('the clicks to be recorded', async () => {
      for (let hasMore = true; hasMore;) {
        const page = await this.rig.callFor(200, 'GET', `/v1/clicks?limit=100&after=${this.clickCursor}`)
        for (const click of page.data as RecordedClick[])
          this.clicks.set(Number(new URL(click.referrer).pathname.slice(1)), click)
        this.clickCursor = page.next_cursor
        hasMore = page.has_more
      }
      return expected.every((visit) => this.clicks.has(visit))
    })
  }

  private recordChange(
    type: PlainEvent['type'],
    link: WorldLink,
    previousTags: readonly string[],
    changedFields: readonly string[] = [],
  ): void {
    const event = { type, linkId: link.id, tags: [...link.fields.tags], previousTags, changedFields }
    this.record({ ...event, isBot: false })
    link.changedAt = this.occurrences.length
  }

  private record(event: PlainEvent, visit: number | null = null): void {
    const exclusions = new Map(this.webhooks.map((webhook) => [webhook, findExclusion(webhook, event)]))
    this.occurrences.push({ event, visit, exclusions })
  }

  private createFilter(): PlainWebhook['filter'] {
    const { random } = this
    const ids = this.links.map(({ id }) => id)
    return {
      ...(random.chance(0.25) ? { link_ids: this.pickSome(ids, 8) } : {}),
      ...(random.chance(0.4) ? { tags: this.pickSome(tagPool) } : {}),
      ...(random.chance(0.4) ? { human_only: true } : {}),
      ...(random.chance(0.4) ? { changed_fields: this.pickSome(fieldPool, 3) } : {}),
    }
  }

  private async togglePause(): Promise<void> {
    const toggled = this.webhooks.filter(({ pauses }) => pauses === 'toggled')
    if (toggled.length === 0) return
    const webhook = this.random.pick(toggled)
    await this.setPaused(webhook, !webhook.isPaused)
  }

  private async setPaused(webhook: WorldWebhook, isPaused: boolean): Promise<void> {
    webhook.isPaused = isPaused
    const body = { status: isPaused ? 'paused' : 'active' }
    await this.rig.callFor(200, 'PATCH', `/v1/webhooks/${webhook.id}`, body)
  }

  /** Returns a token with these restrictions. */
  private async getToken(tags: string[] | null): Promise<string> {
    if (tags === null) return this.rig.token
    const name = tags.join()
    if (!this.tokens.has(name)) {
      const body = { name, restrictions: { tags } }
      this.tokens.set(name, (await this.rig.callFor(201, 'POST', '/v1/auth/token', body)).token)
    }
    return this.tokens.get(name)!
  }

  /** Returns 1 to `max` different items in the order of `items`. */
  private pickSome(items: readonly string[], max = 2): string[] {
    const picked = new Set(
      Array.from({ length: 1 + this.random.nextInteger(max) }, () => this.random.pick(items)),
    )
    return items.filter((item) => picked.has(item))
  }
}
