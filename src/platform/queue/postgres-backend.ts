import { PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { QueueBaseOptions } from 'bullmq'

import { withTimeout } from '../util/with-timeout.js'
import { QueuePool } from './queue-pool.js'

/** An unreachable server cannot be told that this process leaves, and must not keep the process from ending. */
const closingMayTakeMs = 2_000

export class PostgresBackend extends PostgresQueueBackend {
  private ended: Promise<void> | null = null

  private constructor(
    private readonly pool: QueuePool,
    name: string,
    opts: QueueBaseOptions,
    isWorker: boolean,
  ) {
    // Workers are counted by the name of the connection on which they wait for jobs.
    super(
      new PostgresConnection(pool),
      name,
      { ...opts, connection: pool },
      true,
      isWorker ? name : undefined,
    )
  }

  static to(databaseUrl: string, name: string, opts: QueueBaseOptions, isWorker: boolean): PostgresBackend {
    return new PostgresBackend(new QueuePool(databaseUrl, isWorker ? 5 : 2), name, opts, isWorker)
  }

  override close(force = false): Promise<void> {
    this.ended ??= withTimeout(
      this.end(force).catch(() => undefined),
      closingMayTakeMs,
      undefined,
    )
    return this.ended
  }

  private async end(force: boolean): Promise<void> {
    // Closing alone lets a wait for jobs go on, for up to half a minute.
    if (force) await this.disconnect()
    await super.close(force)
    await this.pool.end()
  }
}
