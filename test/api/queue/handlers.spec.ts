import type { Type } from '@nestjs/common'
import { Module } from '@nestjs/common'
import { DiscoveryModule, NestFactory } from '@nestjs/core'

import { Handles, JobHandlers } from '../../../src/platform/queue/job-handlers.js'

class Nothing {
  handle(): Promise<void> {
    return Promise.resolve()
  }
}
@Handles('upkeep')
class Upkeep extends Nothing {}
@Handles('lane')
class Lane extends Nothing {}
@Handles('lane')
class OtherLane extends Nothing {}
@Handles('lanes')
class Lanes extends Nothing {}
@Handles('replay')
class Replay extends Nothing {}

async function start(...handlers: Type[]): Promise<JobHandlers> {
  @Module({ imports: [DiscoveryModule], providers: [JobHandlers, ...handlers] })
  class WorkModule {}
  const app = await NestFactory.createApplicationContext(WorkModule, { logger: false, abortOnError: false })
  return app.get(JobHandlers)
}

it('a worker with one handler for each job starts, and finds them', async () => {
  const handlers = await start(Upkeep, Lane, Lanes, Replay)
  expect(handlers.of('lane')).toBeInstanceOf(Lane)
  expect(handlers.of('upkeep')).toBeInstanceOf(Upkeep)
  expect(handlers.of('unknown')).toBeUndefined()
})

it('a worker does not start when a job has no handler, and says which', async () => {
  await expect(start(Upkeep, Lanes, Replay)).rejects.toThrow('nobody handles lane')
  await expect(start(Lanes, Replay)).rejects.toThrow('nobody handles lane; nobody handles upkeep')
})

it('a worker does not start when a job has two handlers, and names them', async () => {
  await expect(start(Upkeep, Lane, OtherLane, Lanes, Replay)).rejects.toThrow(
    'Lane and OtherLane handle lane',
  )
})
