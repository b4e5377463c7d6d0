import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { dropPartitionsBefore, makeUpcomingPartitions } from './partitions.js'
import type { DropGuard } from './partitions.js'

const everyMs = 6 * 3_600_000
const weekSeconds = 7 * 86_400

@Injectable()
export class PartitionMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PartitionMaintenance.name)
  private readonly guards = new Map<string, DropGuard>()
  private timer: NodeJS.Timeout | null = null

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** To be called while the application is put together: old partitions of the table go only when it agrees. */
  guard(table: string, mayDrop: DropGuard): void {
    this.guards.set(table, mayDrop)
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.run()
    this.timer = setInterval(() => {
      this.run().catch((error: unknown) =>
        this.logger.error(`Partitions could not be made: ${String(error)}`),
      )
    }, everyMs).unref()
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer)
  }

  private async run(): Promise<void> {
    await this.dataSource.transaction((tx) => makeUpcomingPartitions(tx))
    const { clickRetention, eventRetention } = this.settings
    await this.dropOlderThan('clicks', clickRetention)
    // A week later than promised: until then what was still pending can be canceled, and so counted.
    for (const table of ['attempts', 'deliveries', 'events'])
      await this.dropOlderThan(table, eventRetention + weekSeconds)
  }

  private async dropOlderThan(table: string, seconds: number): Promise<void> {
    const oldest = new Date(Date.now() - seconds * 1000)
    await this.dataSource.transaction((tx) => dropPartitionsBefore(tx, table, oldest, this.guards.get(table)))
  }
}
