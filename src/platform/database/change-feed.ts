/**
 * Notifies every process of changes (LISTEN/NOTIFY), so that caches need not query the database. A cache may be used
 * only while `isFresh()` or after `confirm()` returned true: then no notification can have been missed. While the
 * connection is down, or silent for longer than `trustMs`, the database must be queried.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import pg from 'pg'
import type { EntityManager } from 'typeorm'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { ThrottledWarning } from '../util/throttled-warning.js'
import { withTimeout } from '../util/timers.js'
import { keptAlive } from './data-source.js'
import { endConnection } from './pg-client.js'
import { directUrl, receivesNotifications } from './pooler.js'

const channel = 'link_service_changes'
const trustMs = 800
const heartbeatMs = 300
const heartbeatTimeoutMs = 500
const idleAfterMs = 10_000
const reconnectMs = 200
const connectTimeoutMs = 2_000

/**
 * Notifications contain the ID of a row, the slug of a link, or the ID of a worker that was handed lanes. Those of
 * `delivery_pause` say that the pause started or ended.
 */
export type Topic = 'token' | 'session' | 'link' | 'webhook' | 'worker' | 'delivery_pause'

interface Subscriber {
  onChange(id: string): void
  /** Clears the cache, because a notification may have been missed. */
  onReset(): void
}

@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ChangeFeed.name)
  /** Throttled, because the feed tries to reconnect several times a second. */
  private readonly trouble = new ThrottledWarning(this.logger)
  private readonly subscribers = new Map<Topic, Subscriber>()
  private client: pg.Client | null = null
  private isConnecting = false
  private confirmedAt = -Infinity
  private neededAt = -Infinity
  private confirming: Promise<boolean> | null = null
  private timer: NodeJS.Timeout | null = null
  private stopped = false

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Notifies all processes, after the commit, that the rows with these IDs changed. */
  static async announce(tx: EntityManager, topic: Topic, ids: readonly string[]): Promise<void> {
    await tx.query('SELECT pg_notify($1, $2 || id) FROM unnest($3::text[]) AS id', [
      channel,
      `${topic}:`,
      ids,
    ])
  }

  /** A topic has one subscriber. */
  subscribe(topic: Topic, subscriber: Subscriber): void {
    if (this.subscribers.has(topic)) throw new Error(`the topic ${topic} already has a subscriber`)
    this.subscribers.set(topic, subscriber)
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect()
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
    if (this.client) await endConnection(this.client)
  }

  isFresh(): boolean {
    const now = performance.now()
    this.neededAt = now
    return this.client !== null && now - this.confirmedAt < trustMs
  }

  /** Returns whether caches may be used. After an idle period, the first call costs one empty round trip. */
  async confirm(): Promise<boolean> {
    if (this.isFresh()) return true
    if (!this.client) return false
    return this.catchUp()
  }

  /** Makes a round trip over the connection. Afterwards, all earlier notifications have been received. */
  catchUp(): Promise<boolean> {
    this.confirming ??= this.pingDatabase().finally(() => {
      this.confirming = null
      this.schedule()
    })
    return this.confirming
  }

  /** Sends an empty query, which PostgreSQL neither plans nor counts as a statement. */
  private async pingDatabase(): Promise<boolean> {
    const client = this.client
    if (!client) return false
    const sentAt = performance.now()
    let hasResponse = false
    const onTimeout = () => hasResponse || this.dropConnection(client, 'it did not respond in time')
    // If the event loop was blocked, the response may have arrived already, so read it before giving up.
    const timeout = setTimeout(() => setImmediate(onTimeout), heartbeatTimeoutMs)
    try {
      await client.query('')
      hasResponse = true
      if (this.client !== client) return false
      this.confirmedAt = sentAt
      return true
    } catch {
      return false
    } finally {
      clearTimeout(timeout)
    }
  }

  private schedule(): void {
    if (this.timer) clearTimeout(this.timer)
    if (this.stopped || this.isConnecting) return
    if (!this.client) this.timer = setTimeout(() => void this.connect(), reconnectMs)
    else if (performance.now() - this.neededAt < idleAfterMs)
      this.timer = setTimeout(() => void this.catchUp(), heartbeatMs)
    this.timer?.unref()
  }

  private async connect(): Promise<void> {
    this.isConnecting = true
    const client = new pg.Client({
      connectionString: directUrl(this.settings),
      application_name: 'link-service changes',
      connectionTimeoutMillis: connectTimeoutMs,
      ...keptAlive,
    })
    client.on('error', (error) => this.dropConnection(client, error.message))
    client.on('end', () => this.dropConnection(client, 'it was closed'))
    client.on('notification', ({ payload = '' }) => {
      const [topic = '', id = ''] = payload.split(':')
      this.subscribers.get(topic as Topic)?.onChange(id)
    })
    try {
      await client.connect()
      const listening = client.query(`LISTEN ${channel}`).then(() => true)
      if (!(await withTimeout(listening, connectTimeoutMs, false)))
        throw new Error('it did not respond in time')
      if (!(await receivesNotifications(client, channel, directUrl(this.settings))))
        throw new Error('it receives no notifications')
      if (this.stopped) return await endConnection(client)
      // Cached rows from before the gap may be stale, so clear them before caches may be used again.
      this.resetSubscribers()
      this.client = client
      this.confirmedAt = performance.now()
    } catch (error) {
      this.trouble.warn(`The change feed cannot connect: ${(error as Error).message}`)
      await endConnection(client)
    } finally {
      this.isConnecting = false
    }
    this.schedule()
  }

  private dropConnection(client: pg.Client, reason: string): void {
    if (this.client !== client) return
    this.client = null
    this.confirmedAt = -Infinity
    this.resetSubscribers()
    client.end().catch(() => undefined)
    if (this.stopped) return
    this.logger.warn(`The change feed lost its connection: ${reason}. Caches are bypassed until it is back.`)
    this.schedule()
  }

  private resetSubscribers(): void {
    for (const subscriber of this.subscribers.values()) subscriber.onReset()
  }
}
