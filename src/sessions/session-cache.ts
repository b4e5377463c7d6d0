/** What a process knows of sessions: those that it checked lately, and when each was last used. */
import { hash, randomBytes } from 'node:crypto'

import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { Maintenance } from '../platform/http/maintenance.js'
import { WriteBehind } from '../platform/util/batching.js'
import { hardMaximumAgeMs, idleMs, lifeMs, mostSessions, writeEveryMs } from './limits.js'
import { SecretHashes, isSecret } from './secrets.js'
import type { Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

/** Trusted only while the change feed is, as checked tokens are. */
@Injectable()
export class SessionCache {
  private readonly sessions = new LRUCache<string, Session>({
    max: mostSessions,
    ttl: hardMaximumAgeMs,
    ttlResolution: 1_000,
    dispose: ({ id }) => this.keys.delete(id),
  })
  private readonly keys = new Map<string, string>()
  /** As in the tokens' cache: no value stays in memory. */
  private readonly processKey = randomBytes(32).toString('base64')
  /** Grows with each invalidation: a row read before one must not be remembered after it. */
  private epoch = 0

  constructor(
    private readonly feed: ChangeFeed,
    private readonly repository: SessionsRepository,
    private readonly hashes: SecretHashes,
  ) {
    feed.subscribe('session', { changed: (id) => this.forget(id), reset: () => this.forgetAll() })
  }

  /** What memory knows for certain, without waiting; undefined when it has to be asked for. */
  known(value: string): Session | undefined {
    return this.feed.isFresh() ? this.alive(this.keyOf(value)) : undefined
  }

  async find(value: string): Promise<Session | null> {
    if (!isSecret(value)) return null
    const key = this.keyOf(value)
    const cached = (await this.feed.confirm()) ? this.alive(key) : undefined
    if (cached) return cached
    const { epoch } = this
    const session = await this.repository.findByHash(this.hashes.of('session', value))
    if (session && epoch === this.epoch && this.feed.isFresh()) {
      this.sessions.set(key, session)
      this.keys.set(session.id, key)
    }
    return session
  }

  forget(id: string): void {
    this.epoch += 1
    const key = this.keys.get(id)
    if (key !== undefined) this.sessions.delete(key)
  }

  private forgetAll(): void {
    this.epoch += 1
    this.sessions.clear()
  }

  private alive(key: string): Session | undefined {
    const session = this.sessions.get(key)
    if (!session) return undefined
    const now = Date.now()
    const isAlive = now - session.createdAt.getTime() < lifeMs && now - session.lastUsedAt.getTime() < idleMs
    return isAlive ? session : undefined
  }

  private keyOf(value: string): string {
    return hash('sha256', this.processKey + value, 'base64')
  }
}

/** When each session was last used. */
@Injectable()
export class SessionUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionUse.name)
  private readonly used: WriteBehind<Session>

  constructor(sessions: SessionsRepository, maintenance: Maintenance) {
    this.used = new WriteBehind(
      writeEveryMs,
      (used) => sessions.recordUse(used),
      (error) => this.logger.warn(`Times of use could not be written, and are kept: ${error.message}`),
    )
    maintenance.add('Ended sessions of the dashboard stay for now', () => sessions.deleteOld())
  }

  note(session: Session): void {
    session.lastUsedAt = new Date()
    this.used.set(session.id, session)
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.used.flush()
  }
}
