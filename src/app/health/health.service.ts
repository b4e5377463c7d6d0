/**
 * Checks whether this process can serve requests. Components are checked in the background while probes arrive, so that
 * a probe never waits for a component that does not respond.
 */
import { Inject, Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { ChangeFeed } from '../../platform/database/change-feed.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { runPeriodically, withTimeout } from '../../platform/util/timers.js'

const components = ['database', 'migrations', 'change_feed', 'queue'] as const
export type Component = (typeof components)[number]
export type ComponentStates = Record<Component, 'ok' | 'failing'>

/** Required for API calls and deliveries. Without the queue, workers poll the database for due work. */
const required: readonly Component[] = ['database', 'migrations', 'change_feed']
const checkEveryMs = 200
/** A component counts as failing if its last successful check started longer ago. */
const maxAgeMs = 500
const watchAfterProbeMs = 60_000
/** The first probe after a pause waits this long for the checks, because probes must respond within 50 ms. */
const firstProbeWaitMs = 40
const startWaitMs = 1_000

@Injectable()
export class HealthService implements OnApplicationShutdown {
  /** Start time of the last check by component, if the check was successful. */
  private readonly confirmedAt = new Map<Component, number>()
  private stopChecks: (() => void)[] = []
  private probedAt = -Infinity
  private hasReachedDatabase = false
  private isShuttingDown = false

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly feed: ChangeFeed,
    private readonly queue: JobQueue,
  ) {}

  /** Checks the database once, so that later probes know whether it was reached since the process started. */
  async start(): Promise<void> {
    await withTimeout(this.checkDatabase(), startWaitMs, null)
  }

  onApplicationShutdown(): void {
    this.endWatch()
  }

  /** Reports the process as not ready. It still serves requests. */
  beginShutdown(): void {
    this.isShuttingDown = true
  }

  states(): ComponentStates {
    const now = performance.now()
    const getComponentState = (component: Component) =>
      now - (this.confirmedAt.get(component) ?? -Infinity) <= maxAgeMs ? 'ok' : 'failing'
    return Object.fromEntries(components.map((each) => [each, getComponentState(each)])) as ComponentStates
  }

  /**
   * Throws if the process is not ready. Redirects are served from memory once the database was reached. API calls and
   * workers require all their components.
   */
  async requireReady(forApi: boolean): Promise<ComponentStates> {
    this.probedAt = performance.now()
    if (this.stopChecks.length === 0 && !this.isShuttingDown)
      await withTimeout(this.watch(), firstProbeWaitMs, null)
    const parts = this.states()
    const isStrict = forApi || this.settings.role === 'worker'
    const failing = required.filter((component) => parts[component] === 'failing')
    if (this.isShuttingDown) throw notReady('The process is shutting down.', parts)
    if (!this.hasReachedDatabase)
      throw notReady('The database has not been reached since the process started.', parts)
    if (isStrict && failing.length > 0) throw notReady(`Failing: ${failing.join(', ')}.`, parts)
    return parts
  }

  /** Starts the checks. Resolves after the first check of each component. The components are checked independently. */
  private async watch(): Promise<void> {
    const checks = [() => this.checkDatabase(), () => this.checkChangeFeed(), () => this.checkQueue()]
    this.stopChecks = checks.map((check) =>
      runPeriodically({
        waitMs: checkEveryMs,
        work: () => (performance.now() - this.probedAt < watchAfterProbeMs ? check() : this.endWatch()),
      }),
    )
    await Promise.all(checks.map((check) => check()))
  }

  private endWatch(): void {
    for (const stop of this.stopChecks) stop()
    this.stopChecks = []
  }

  private async checkDatabase(): Promise<void> {
    const startedAt = performance.now()
    const applied = await this.countMigrations().catch(() => null)
    this.note('database', startedAt, applied !== null)
    this.note('migrations', startedAt, applied !== null && applied >= this.dataSource.migrations.length)
    if (applied !== null) this.hasReachedDatabase = true
  }

  private async checkChangeFeed(): Promise<void> {
    const startedAt = performance.now()
    this.note('change_feed', startedAt, await this.feed.catchUp())
  }

  private async checkQueue(): Promise<void> {
    const startedAt = performance.now()
    this.note('queue', startedAt, await this.queue.isReachable())
  }

  private note(component: Component, startedAt: number, isOk: boolean): void {
    if (isOk) this.confirmedAt.set(component, startedAt)
    else this.confirmedAt.delete(component)
  }

  private async countMigrations(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM migrations',
    )
    return row?.count ?? 0
  }
}

function notReady(detail: string, parts: ComponentStates): Problem {
  return new Problem('not_ready', { detail, more: { parts } })
}
