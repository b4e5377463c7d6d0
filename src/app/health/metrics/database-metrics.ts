/** Metrics that are read from the database: of webhooks, deliveries, workers, analytics and sessions. */
import { Inject, Injectable, Optional } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type pg from 'pg'
import { DataSource } from 'typeorm'
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js'

import { AnalyticsLag } from '../../../analytics/rolling/checkpoints.repository.js'
import { DeliveryPauses } from '../../../deliveries/delivery-pause.js'
import { DeliveryFiguresRepository } from '../../../dispatch/delivery-figures.repository.js'
import type { WebhookFigures } from '../../../dispatch/delivery-figures.repository.js'
import { LeasesRepository } from '../../../dispatch/leases.repository.js'
import { WorkersRepository } from '../../../dispatch/workers.repository.js'
import { FeedWatch } from '../../../platform/database/feed-watch.js'
import { SessionsRepository } from '../../../sessions/sessions.repository.js'
import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import { CachedReading } from './cached-reading.js'
import type { Readings } from './metric-text.js'

interface DatabaseFigureValues {
  workers: number
  webhooks: WebhookFigures[]
  due: number
  oldestDueSeconds: number
  sessions: number
  isPaused: boolean
  analyticsLagSeconds: number
}

@Injectable()
export class DatabaseFigures {
  private readonly reading = new CachedReading<DatabaseFigureValues>((figures) => this.readFigures(figures))

  constructor(
    private readonly workers: WorkersRepository,
    private readonly deliveries: DeliveryFiguresRepository,
    private readonly leases: LeasesRepository,
    private readonly pauses: DeliveryPauses,
    private readonly analytics: AnalyticsLag,
    @Optional() private readonly sessions?: SessionsRepository,
  ) {}

  get(): Promise<Readonly<Partial<DatabaseFigureValues>>> {
    return this.reading.get()
  }

  /** One statement at a time, so that scrapes occupy at most one connection. */
  private async readFigures(figures: Partial<DatabaseFigureValues>): Promise<void> {
    figures.workers = (await this.workers.countLiveWorkers()).sending
    figures.oldestDueSeconds = (await this.leases.findLongestDue())?.lateSeconds ?? 0
    figures.isPaused = (await this.pauses.findPause()) !== null
    figures.webhooks = await this.deliveries.readWebhooks()
    figures.due = await this.deliveries.countDue()
    if (this.sessions) figures.sessions = await this.sessions.countSessions()
    figures.analyticsLagSeconds = await this.analytics.readSeconds()
  }
}

@Injectable()
export class DatabaseMetrics {
  constructor(
    private readonly figures: DatabaseFigures,
    private readonly feeds: FeedWatch,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
  ) {}

  async read(): Promise<Readings> {
    const { workers, webhooks, due, oldestDueSeconds, isPaused, sessions, analyticsLagSeconds } =
      await this.figures.get()
    return {
      database_up: workers === undefined ? 0 : 1,
      ...this.readPool(),
      workers: workers ?? null,
      deliveries_paused: isPaused === undefined ? null : Number(isPaused),
      oldest_due_delivery_seconds: oldestDueSeconds ?? null,
      due_deliveries: due ?? null,
      ...(webhooks ? readWebhooks(webhooks) : {}),
      dashboard_sessions: sessions ?? null,
      analytics_lag_seconds: analyticsLagSeconds ?? null,
      feed_held_back_seconds: this.feeds.heldBackSeconds,
    }
  }

  private readPool(): Readings {
    const pool = (this.dataSource.driver as PostgresDriver).master as pg.Pool
    return {
      database_pool_connections: [
        { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
      ],
      database_pool_waiting: pool.waitingCount,
      database_pool_size: this.settings.databasePoolSize,
    }
  }
}

function readWebhooks(rows: readonly WebhookFigures[]): Readings {
  const byStatus = new Map(rows.map((row) => [row.status, row]))
  const active = byStatus.get('active')
  const isHeld = ({ status }: WebhookFigures) => status !== 'active'
  const held = rows.filter(isHeld).reduce((sum, { deliveries }) => sum + deliveries, 0)
  return {
    webhooks: (['active', 'paused', 'disabled'] as const).map((status) => ({
      labels: { status },
      value: byStatus.get(status)?.webhooks ?? 0,
    })),
    webhooks_failing: active?.failing ?? 0,
    open_circuits: active?.waiting ?? 0,
    pending_deliveries: [
      { labels: { status: 'pending' }, value: active?.deliveries ?? 0 },
      { labels: { status: 'held' }, value: held },
    ],
  }
}
