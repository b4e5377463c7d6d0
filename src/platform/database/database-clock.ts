/** Measures how far the clock of this machine is from that of the database, which all processes use. */
import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { setClockDifference } from '../util/clock.js'
import { runPeriodically } from '../util/timers.js'

const measureIntervalMs = 10_000
/** How often to check whether the clock of this machine was stepped, which makes the measured difference wrong. */
const checkIntervalMs = 1_000
/** A clock that is adjusted gradually changes by a few milliseconds in this time. */
const minStepMs = 1_000
/** A measurement that takes longer is too inaccurate to replace an earlier one. */
const maxMeasurementMs = 1_000
/** Smaller differences are noise. */
const minDifferenceMs = 100
/** Larger differences are reported by a warning and by `doctor`. */
export const maxClockDifferenceMs = 5_000
const warnIntervalMs = 3_600_000

export const clockStatement = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now'

/** While the database is unreachable, the last measured difference stays in use. */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name)
  private isKnown = false
  private warnedAt = -Infinity
  private attemptedAt = -Infinity
  /** The clock of this machine minus the monotonic clock, at the last measurement. */
  private aheadOfMonotonic = 0
  private stop: () => void = () => undefined

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Measures the difference before other parts of the application start. */
  async onModuleInit(): Promise<void> {
    // The API document is generated without a database.
    if (!this.dataSource.isInitialized) return
    await this.compare()
    this.stop = runPeriodically({
      waitMs: checkIntervalMs,
      work: () => (this.isDue() ? this.compare() : undefined),
      // Other users of the database log that it is unreachable.
      onFailure: () => undefined,
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private isDue(): boolean {
    const hasStepped = Math.abs(getMonotonicOffset() - this.aheadOfMonotonic) > minStepMs
    return hasStepped || performance.now() - this.attemptedAt >= measureIntervalMs
  }

  private async compare(): Promise<void> {
    this.attemptedAt = performance.now()
    // Taken first, so that a step during the measurement causes another one.
    const ahead = getMonotonicOffset()
    const { differenceMs, tookMs } = await clockDifference(this.dataSource)
    if (this.isKnown && tookMs > maxMeasurementMs) return
    this.isKnown = true
    this.aheadOfMonotonic = ahead
    setClockDifference(Math.abs(differenceMs) > Math.max(minDifferenceMs, tookMs) ? differenceMs : 0)
    if (Math.abs(differenceMs) > Math.max(maxClockDifferenceMs, tookMs)) this.warn(differenceMs)
  }

  private warn(differenceMs: number): void {
    if (performance.now() - this.warnedAt < warnIntervalMs) return
    this.warnedAt = performance.now()
    this.logger.warn(
      `${describeDifference(differenceMs)} This process uses the time of the database. Synchronize both machines with the same time servers.`,
    )
  }
}

function getMonotonicOffset(): number {
  return Date.now() - performance.now()
}

/** Returns the difference, positive if the database is ahead. Its error is at most half of `tookMs`. */
export async function clockDifference(
  dataSource: DataSource,
): Promise<{ differenceMs: number; tookMs: number }> {
  const startedAt = Date.now()
  const began = performance.now()
  const [row]: { now: number }[] = await dataSource.query(clockStatement)
  const tookMs = performance.now() - began
  return { differenceMs: row!.now - (startedAt + tookMs / 2), tookMs }
}

export function describeDifference(ms: number): string {
  const seconds = (Math.abs(ms) / 1000).toFixed(1)
  if (seconds === '0.0') return 'The clocks of the database and of this machine agree.'
  return `The database's clock is ${seconds} s ${ms > 0 ? 'ahead of' : 'behind'} this machine's.`
}
