/** Reads the state of the queue without adding or taking jobs. */
import { Queue, RedisQueueBackend } from 'bullmq'

import { StartupError } from '../config/startup-error.js'
import { withTimeout } from '../util/timers.js'
import { toConnectionOptions, queueName, registerBackends } from './backend.js'
import type { QueueAddress } from './backend.js'

export interface QueueView {
  /** Number of processes that wait for jobs. */
  workers: number
  /** Eviction policy of Redis. Null for PostgreSQL. */
  evictionPolicy: string | null
}

const responseTimeoutMs = 6_000

/** Reads the state of the queue. Rejects if the queue cannot be reached. */
export async function readQueueView(address: QueueAddress): Promise<QueueView> {
  registerBackends()
  const queue = new Queue(queueName, { connection: toConnectionOptions(address), skipMetasUpdate: true })
  try {
    const view = await withTimeout(
      Promise.race([queryQueue(queue), waitForError(queue)]),
      responseTimeoutMs,
      null,
    )
    if (!view) throw new Error('it does not respond')
    return view
  } catch (error) {
    throw createUnreachableError(address, error as NodeJS.ErrnoException)
  } finally {
    await queue.close()
  }
}

async function queryQueue(queue: Queue): Promise<QueueView> {
  return { workers: await queue.getWorkersCount(), evictionPolicy: await readEvictionPolicy(queue) }
}

async function readEvictionPolicy(queue: Queue): Promise<string | null> {
  const backend = queue.getBackend()
  if (!(backend instanceof RedisQueueBackend)) return null
  const info = await (await backend.client).info()
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null
}

/** Rejects on the first error event, because BullMQ itself retries forever. */
function waitForError(queue: Queue): Promise<never> {
  return new Promise((_resolve, reject) => queue.on('error', reject))
}

function createUnreachableError(
  { redisUrl }: QueueAddress,
  { message, code = '' }: NodeJS.ErrnoException,
): StartupError {
  const subject = redisUrl === null ? 'The queue in the database' : 'The Redis server in REDIS_URL'
  const reason = (message || code).replace(/\.$/, '')
  return new StartupError(
    `${subject} cannot be reached: ${reason}. Check the URL, and that the server is running.`,
  )
}
