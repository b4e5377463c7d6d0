import { QueueKeys, RedisConnection, RedisQueueBackend } from 'bullmq'
import type { QueueBaseOptions, RedisOptions } from 'bullmq'

import { withTimeout } from '../util/timers.js'

/** An unreachable server cannot be told that this process leaves, and must not keep the process from ending. */
const closingMayTakeMs = 2_000

interface Life {
  isOver: boolean
}

export class RedisBackend extends RedisQueueBackend {
  private readonly life: Life
  private isConnected = false
  private ended: Promise<void> | null = null

  private constructor(life: Life, ...parts: ConstructorParameters<typeof RedisQueueBackend>) {
    super(...parts)
    this.life = life
    this.on('ready', () => (this.isConnected = true))
    this.on('close', () => (this.isConnected = false))
  }

  static to(redisUrl: string, name: string, opts: QueueBaseOptions, isWorker: boolean): RedisBackend {
    const life = { isOver: false }
    const options = optionsFor(redisUrl, isWorker, life)
    // BullMQ asks Redis for its version first. If the connection fails then, a queue stays broken, so only workers ask.
    const connection = new RedisConnection(options, { blocking: false, skipVersionCheck: !isWorker })
    const keys = new QueueKeys()
    const toKey = (type: string) => keys.toKey(name, type)
    const waiting = isWorker ? waitingConnection(name, options) : undefined
    return new RedisBackend(life, connection, name, keys.getKeys(name), toKey, opts, waiting)
  }

  override close(force = false): Promise<void> {
    this.life.isOver = true
    this.ended ??= withTimeout(
      this.end(force).catch(() => undefined),
      closingMayTakeMs,
      undefined,
    )
    return this.ended
  }

  private async end(force: boolean): Promise<void> {
    const isForced = force || !this.isConnected
    // `close` alone would let a wait for jobs go on.
    if (force) await this.disconnect()
    await super.close(isForced)
  }
}

function optionsFor(url: string, isWorker: boolean, life: Life): RedisOptions {
  const common = {
    url,
    keepAlive: 10_000,
    connectTimeout: 5_000,
    disconnectTimeout: 500,
    // Null means no reconnection. Otherwise a worker that was closed just before would still reconnect.
    retryStrategy: (times: number) => (life.isOver ? null : Math.min(times * 100, 2_000)),
  }
  return isWorker
    ? // A worker waits ten seconds at most, so a socket that is silent for twice as long is dead.
      { ...common, maxRetriesPerRequest: null, socketTimeout: 20_000 }
    : // Adding a job fails at once while Redis is away; no command is kept for later.
      { ...common, maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 5_000 }
}

/** The connection on which a worker waits for jobs. Workers are counted by its name. */
function waitingConnection(name: string, options: RedisOptions): RedisConnection {
  const connectionName = `bull:${Buffer.from(name).toString('base64')}`
  return new RedisConnection({ ...options, connectionName }, { blocking: true })
}
