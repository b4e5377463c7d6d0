import { QueueKeys, RedisConnection, RedisQueueBackend } from 'bullmq'
import type { QueueBaseOptions, RedisOptions } from 'bullmq'

import { withTimeout } from '../util/timers.js'

/** How long to wait for the server when closing: an unreachable server must not keep the process from ending. */
const closeTimeoutMs = 2_000

interface Lifecycle {
  isOver: boolean
}

export class RedisBackend extends RedisQueueBackend {
  private readonly life: Lifecycle
  private isConnected = false
  private ended: Promise<void> | null = null

  private constructor(life: Lifecycle, ...parts: ConstructorParameters<typeof RedisQueueBackend>) {
    super(...parts)
    this.life = life
    this.on('ready', () => (this.isConnected = true))
    this.on('close', () => (this.isConnected = false))
  }

  static create(redisUrl: string, name: string, opts: QueueBaseOptions, isWorker: boolean): RedisBackend {
    const life = { isOver: false }
    const options = createRedisOptions(redisUrl, isWorker, life)
    // BullMQ first queries the version of Redis, and a queue stays broken if that fails, so only workers check it.
    const connection = new RedisConnection(options, { blocking: false, skipVersionCheck: !isWorker })
    const keys = new QueueKeys()
    const toKey = (type: string) => keys.toKey(name, type)
    const waiting = isWorker ? createBlockingConnection(name, options) : undefined
    return new RedisBackend(life, connection, name, keys.getKeys(name), toKey, opts, waiting)
  }

  override close(force = false): Promise<void> {
    this.life.isOver = true
    this.ended ??= withTimeout(
      this.end(force).catch(() => undefined),
      closeTimeoutMs,
      undefined,
    )
    return this.ended
  }

  private async end(force: boolean): Promise<void> {
    const isForced = force || !this.isConnected
    // `close` alone would not end the running wait for jobs.
    if (force) await this.disconnect()
    await super.close(isForced)
  }
}

function createRedisOptions(url: string, isWorker: boolean, life: Lifecycle): RedisOptions {
  const common = {
    url,
    keepAlive: 10_000,
    connectTimeout: 5_000,
    disconnectTimeout: 500,
    // Null means no reconnection. A closed worker would otherwise reconnect.
    retryStrategy: (times: number) => (life.isOver ? null : Math.min(times * 100, 2_000)),
  }
  return isWorker
    ? // A worker waits at most ten seconds, so a socket that is silent for twice as long is dead.
      { ...common, maxRetriesPerRequest: null, socketTimeout: 20_000 }
    : // Adding a job fails immediately while Redis is unreachable. No command is queued.
      { ...common, maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 5_000 }
}

/** Returns the connection on which a worker waits for jobs. Workers are counted by its name. */
function createBlockingConnection(name: string, options: RedisOptions): RedisConnection {
  const connectionName = `bull:${Buffer.from(name).toString('base64')}`
  return new RedisConnection({ ...options, connectionName }, { blocking: true })
}
