/** Compares the clock of this machine with that of the database, which decides for all processes what time it is. */
import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { setClockDifference } from '../util/clock.js'
import { every } from '../util/timers.js'

const compareEveryMs = 10_000
/** A comparison that takes longer is less exact than the one before it. */
const exactWithinMs = 1_000
/** Smaller differences come and go with the load of the machine. */
const leastDifferenceMs = 100
/** `doctor` and a warning name a larger difference. */
export const mostClockDifferenceMs = 5_000
const warnEveryMs = 3_600_000

export const clockStatement = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now'

/** While the database is away, the last known difference stays in use. */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name)
  private isKnown = false
  private warnedAt = -Infinity
  private stop: () => void = () => undefined

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The first comparison is made before anything else of the application starts. */
  async onModuleInit(): Promise<void> {
    // Describing the API needs the modules, but no database.
    if (!this.dataSource.isInitialized) return
    await this.compare()
    this.stop = every({
      waitMs: compareEveryMs,
      work: () => this.compare(),
      // Whatever else uses the database logs that it is away.
      onFailure: () => undefined,
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private async compare(): Promise<void> {
    const { differenceMs, tookMs } = await clockDifference(this.dataSource)
    if (this.isKnown && tookMs > exactWithinMs) return
    this.isKnown = true
    setClockDifference(Math.abs(differenceMs) > Math.max(leastDifferenceMs, tookMs) ? differenceMs : 0)
    if (Math.abs(differenceMs) > Math.max(mostClockDifferenceMs, tookMs)) this.warn(differenceMs)
  }

  private warn(differenceMs: number): void {
    if (performance.now() - this.warnedAt < warnEveryMs) return
    this.warnedAt = performance.now()
    this.logger.warn(
      `${describeDifference(differenceMs)} This process uses the time of the database. Let both machines follow the same time servers.`,
    )
  }
}

/** Positive when the database is ahead. The database read its clock at some moment within `tookMs`. */
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
  return `The database's clock is ${seconds} s ${ms > 0 ? 'ahead of' : 'behind'} this machine's.`
}
