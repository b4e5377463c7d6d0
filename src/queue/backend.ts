/** Where the jobs wait: in Redis where there is one, else in PostgreSQL. Nothing outside this folder knows which. */
import { setTimeout } from 'node:timers/promises'

import { createPostgresBackend, createRedisBackend, setDefaultBackendFactory } from 'bullmq'
import type {
  BackendFactory,
  ConnectionOptions,
  IQueueBackend,
  PostgresConnectionOptions,
  PostgresQueueBackend,
  QueueBaseOptions,
} from 'bullmq'

import type { RunningSettings } from '../config/settings.js'
import { SteadyClient } from '../database/steady-client.js'

export type QueuePlace = Pick<RunningSettings, 'redisUrl' | 'databaseUrl'>

export const queueName = 'link-service-jobs'
export const queueSchema = 'bullmq'

/** How long a worker that has nothing to do waits before it looks by itself; it is woken sooner when something comes. */
export function idleSeconds({ redisUrl }: QueuePlace): number {
  // On PostgreSQL each look is two statements, and a broken connection is noticed without it.
  return redisUrl === null ? 30 : 5
}

/** What BullMQ's options call a connection: it is handed on unread to the factory below, whose type they cannot name. */
export function connectionTo({ redisUrl, databaseUrl }: QueuePlace): ConnectionOptions {
  const place: QueuePlace = { redisUrl, databaseUrl }
  return place
}

/** `@nestjs/bullmq` has no other way to choose the backend of the queues and workers that it makes. */
export function useOurBackends(): void {
  setDefaultBackendFactory(backendFor)
}

const backendFor: BackendFactory = (name, opts, { withBlockingConnection = false, ...kind } = {}) => {
  const place = opts.connection as QueuePlace
  const make = place.redisUrl === null ? inPostgres : inRedis
  const life = { isOver: false }
  return endsInTime(make(place, name, opts, { ...kind, withBlockingConnection }, life), life)
}

interface Life {
  isOver: boolean
}

interface Kind {
  blocking?: boolean
  /** True for a worker, false for one that only adds. */
  withBlockingConnection: boolean
}

function inRedis(
  { redisUrl }: QueuePlace,
  name: string,
  opts: QueueBaseOptions,
  kind: Kind,
  life: Life,
): IQueueBackend {
  const common = {
    url: redisUrl ?? '',
    keepAlive: 10_000,
    connectTimeout: 5_000,
    disconnectTimeout: 500,
    // A worker that was about to connect again when it was closed does so all the same.
    retryStrategy: (times: number) => (life.isOver ? null : Math.min(times * 100, 2_000)),
  }
  const connection: ConnectionOptions = kind.withBlockingConnection
    ? // Its longest wait is ten seconds: a socket that is silent for longer is dead.
      { ...common, maxRetriesPerRequest: null, socketTimeout: 20_000 }
    : // Whoever adds learns at once that Redis is away; nothing is kept for later.
      { ...common, maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 5_000 }
  // Asking for the version may fail with the connection, and a queue whose first question failed stays broken.
  const skipVersionCheck = !kind.withBlockingConnection
  return createRedisBackend(name, { ...opts, connection, skipVersionCheck }, kind)
}

function inPostgres(
  { databaseUrl }: QueuePlace,
  name: string,
  opts: QueueBaseOptions,
  kind: Kind,
): IQueueBackend {
  const connection: PostgresConnectionOptions = {
    // Describing the API makes the modules without a database: nothing listens on port 0.
    connectionString: databaseUrl || 'postgres://127.0.0.1:0/none',
    schema: queueSchema,
    application_name: 'link-service queue',
    Client: SteadyClient,
    // A crash of PostgreSQL may take the last jobs: they are hints, and what they hint at is in its tables for good.
    options: '-c synchronous_commit=off',
    max: kind.withBlockingConnection ? 4 : 2,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    keepAlive: true,
  }
  return retryable(createPostgresBackend(name, { ...opts, connection }, kind))
}

/**
 * BullMQ tries again, after a moment, what failed because there was no connection. It knows such errors of Redis only;
 * others end the attempt, and a job whose end could not be written would block its key until its lock expires.
 */
function retryable(backend: PostgresQueueBackend): PostgresQueueBackend {
  // Where all its statements pass; private, so its type is not told.
  const inner = backend as unknown as { query: (sql: string, values?: unknown[]) => Promise<unknown> }
  const query = inner.query.bind(backend)
  inner.query = async (sql, values) => {
    try {
      return await query(sql, values)
    } catch (error) {
      throw isOutOfReach(error as NodeJS.ErrnoException)
        ? Object.assign(error as Error, { code: 'ECONNREFUSED' })
        : error
    }
  }
  return backend
}

/** Connection failures of class 08, those of a server that starts or stops, and what the driver says itself. */
function isOutOfReach({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    /^(08|57P0)|^E[A-Z]+$/.test(code) ||
    /connection terminated|timeout exceeded when trying to connect|read timeout/i.test(message)
  )
}

const closingMayTakeMs = 2_000

/** A backend that is out of reach cannot be told goodbye, and neither may that keep the process from ending. */
function endsInTime(backend: IQueueBackend, life: Life): IQueueBackend {
  let isConnected = false
  backend.on('ready', () => (isConnected = true))
  backend.on('close', () => (isConnected = false))
  const close = backend.close.bind(backend)
  const end = async (force: boolean) => {
    // Closing alone lets a wait for jobs go on, for up to half a minute.
    if (force) await backend.disconnect()
    await close(force || !isConnected)
  }
  backend.close = async (force = false) => {
    life.isOver = true
    const closed = end(force).catch(() => undefined)
    await Promise.race([closed, setTimeout(closingMayTakeMs, undefined, { ref: false })])
  }
  return backend
}
