/** Chooses the backend of the queue: Redis if it is configured, else PostgreSQL. */
import { setDefaultBackendFactory } from 'bullmq'
import type { BackendFactory, ConnectionOptions } from 'bullmq'

import type { RunningSettings } from '../../settings.js'
import { directUrl } from '../database/pooler.js'
import { PostgresBackend } from './postgres-backend.js'
import { RedisBackend } from './redis-backend.js'

export type QueueAddress = Pick<RunningSettings, 'redisUrl' | 'databaseUrl'> &
  Partial<Pick<RunningSettings, 'databaseDirectUrl'>>

export const queueName = 'link-service-jobs'

/**
 * Returns the `connection` of BullMQ's options. BullMQ passes it on to the factory below, which knows its real type.
 */
export function toConnectionOptions({
  redisUrl,
  databaseUrl,
  databaseDirectUrl = null,
}: QueueAddress): ConnectionOptions {
  const address: QueueAddress = { redisUrl, databaseUrl, databaseDirectUrl }
  return address
}

/** Call this before creating a queue or a worker: `@nestjs/bullmq` has no other way to choose their backend. */
export function registerBackends(): void {
  setDefaultBackendFactory(createBackend)
}

const createBackend: BackendFactory = (name, opts, { withBlockingConnection: isWorker = false } = {}) => {
  const address = opts.connection as QueueAddress
  return address.redisUrl === null
    ? PostgresBackend.create(directUrl(address), name, opts, isWorker)
    : RedisBackend.create(address.redisUrl, name, opts, isWorker)
}
