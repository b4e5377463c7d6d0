/** Reads the state of the queue without adding or taking jobs. */
import { Queue, RedisQueueBackend } from 'bullmq'

import { StartupError } from '../config/startup-error.js'
import { withTimeout } from '../util/timers.js'
import { connectionTo, queueName, useOurBackends } from './backend.js'
import type { QueueAddress } from './backend.js'

export interface QueueView {
  /** The number of processes that wait for jobs. */
  workers: number
  /** Which keys a Redis evicts when its memory is full; null for PostgreSQL. */
  evictionPolicy: string | null
}

const answersWithinMs = 6_000

/** Rejects when the queue cannot be reached. */
export async function viewQueue(address: QueueAddress): Promise<QueueView> {
  useOurBackends()
  const queue = new Queue(queueName, { connection: connectionTo(address), skipMetasUpdate: true })
  try {
    const seen = await withTimeout(Promise.race([look(queue), failureOf(queue)]), answersWithinMs, null)
    if (!seen) throw new Error('it does not answer')
    return seen
  } catch (error) {
    throw outOfReach(address, error as NodeJS.ErrnoException)
  } finally {
    await queue.close()
  }
}

async function look(queue: Queue): Promise<QueueView> {
  return { workers: await queue.getWorkersCount(), evictionPolicy: await evictionPolicyOf(queue) }
}

async function evictionPolicyOf(queue: Queue): Promise<string | null> {
  const backend = queue.getBackend()
  if (!(backend instanceof RedisQueueBackend)) return null
  const info = await (await backend.client).info()
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null
}

/** BullMQ goes on trying for ever, and says what went wrong only in its events. */
function failureOf(queue: Queue): Promise<never> {
  return new Promise((_resolve, reject) => queue.on('error', reject))
}

function outOfReach({ redisUrl }: QueueAddress, { message, code = '' }: NodeJS.ErrnoException): StartupError {
  const what = redisUrl === null ? 'The queue in the database' : 'The Redis of REDIS_URL'
  const reason = (message || code).replace(/\.$/, '')
  return new StartupError(`${what} cannot be reached: ${reason}. Check the address and that it runs.`)
}
