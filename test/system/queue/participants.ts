/** Starts the participants of a queue: one that only adds jobs, like the API, and workers with test handlers. */
import { getQueueToken } from '@nestjs/bullmq'
import type { INestApplicationContext, LoggerService, Type } from '@nestjs/common'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Queue } from 'bullmq'

import { GlobalModule } from '../../../src/platform/config/global.module.js'
import { readSettings } from '../../../src/platform/config/env.js'
import type { RunningSettings } from '../../../src/settings.js'
import { replayJobs } from '../../../src/deliveries/replay/replay-runner.js'
import { dispatchJobs } from '../../../src/dispatch/worker-jobs.js'
import { queueName } from '../../../src/platform/queue/backend.js'
import type { QueueAddress } from '../../../src/platform/queue/backend.js'
import { Handles } from '../../../src/platform/queue/jobs.js'
import type { JobHandler } from '../../../src/platform/queue/jobs.js'
import { JobQueue } from '../../../src/platform/queue/job-queue.js'
import { QueueModule, QueueWorkModule } from '../../../src/platform/queue/queue.module.js'
import { QueueProcessor } from '../../../src/platform/queue/queue.processor.js'

export interface Participant {
  jobs: JobQueue
  /** The queue of BullMQ, to inspect its jobs. */
  queue: Queue
  /** Returns whether a worker has stopped taking jobs. */
  hasStoppedTaking(): boolean
  close(): Promise<void>
}

/** Messages of all participants at level warn or above. Nest has one logger per process. */
export const logged: string[] = []
const record = (message: unknown) => void logged.push(String(message))
const silent = () => undefined
const logger: LoggerService = {
  log: silent,
  debug: silent,
  verbose: silent,
  warn: record,
  error: record,
  fatal: record,
}

export async function startAdder(address: QueueAddress): Promise<Participant> {
  return open(address, [QueueModule])
}

interface Work {
  lane?: (webhookId: string) => Promise<void>
  maintenance?: () => Promise<void>
  concurrency?: number
}

export async function startWorker(
  address: QueueAddress,
  { lane = idle, maintenance = idle, concurrency = 64 }: Work = {},
): Promise<Participant> {
  @Handles('lane')
  class Lane implements JobHandler<'lane'> {
    handle({ webhookId }: { webhookId: string }): Promise<void> {
      return lane(webhookId)
    }
  }
  @Handles('maintenance')
  class MaintenanceHandler implements JobHandler<'maintenance'> {
    handle(): Promise<void> {
      return maintenance()
    }
  }
  @Handles('lanes')
  class Lanes extends Idle {}
  @Handles('replay')
  class Replay extends Idle {}
  @Module({ imports: [QueueWorkModule], providers: [Lane, Lanes, Replay, MaintenanceHandler] })
  class WorkModule {}
  return open(address, [QueueModule, WorkModule], concurrency)
}

async function open(address: QueueAddress, imports: Type[], concurrency?: number): Promise<Participant> {
  const settings: RunningSettings = {
    ...readSettings({}),
    ...address,
    tokenPepper: '',
    encryptionKey: '',
  }
  @Module({ imports: [GlobalModule.forRoot(settings), ...imports], providers: [dispatchJobs, replayJobs] })
  class ParticipantModule {}
  const app: INestApplicationContext = await NestFactory.createApplicationContext(ParticipantModule, {
    logger,
    abortOnError: false,
  })
  if (concurrency !== undefined) app.get(QueueProcessor, { strict: false }).worker.concurrency = concurrency
  let closed: Promise<void> | null = null
  return {
    jobs: app.get(JobQueue),
    queue: app.get<Queue>(getQueueToken(queueName), { strict: false }),
    hasStoppedTaking: () => app.get(QueueProcessor, { strict: false }).worker.isPaused(),
    close: () => (closed ??= app.close()),
  }
}

class Idle {
  handle(): Promise<void> {
    return idle()
  }
}

function idle(): Promise<void> {
  return Promise.resolve()
}
