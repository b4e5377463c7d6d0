import type { Provider } from '@nestjs/common'
import { Module } from '@nestjs/common'
import { DiscoveryModule, NestFactory } from '@nestjs/core'

import { dispatchJobs } from '../../../src/dispatch/worker-jobs.js'
import { replayJobs } from '../../../src/deliveries/replay/replay-runner.js'
import { declareJobs, Handles, JobHandlers, JobRegistry } from '../../../src/platform/queue/jobs.js'

class EmptyHandler {
  handle(): Promise<void> {
    return Promise.resolve()
  }
}
@Handles('maintenance')
class MaintenanceHandler extends EmptyHandler {}
@Handles('lane')
class Lane extends EmptyHandler {}
@Handles('lane')
class OtherLane extends EmptyHandler {}
@Handles('lanes')
class Lanes extends EmptyHandler {}
@Handles('replay')
class Replay extends EmptyHandler {}

async function start(...handlers: Provider[]): Promise<JobHandlers> {
  @Module({
    imports: [DiscoveryModule],
    providers: [JobRegistry, JobHandlers, dispatchJobs, replayJobs, ...handlers],
  })
  class WorkModule {}
  const app = await NestFactory.createApplicationContext(WorkModule, { logger: false, abortOnError: false })
  return app.get(JobHandlers)
}

it('finds the handler of each job', async () => {
  const handlers = await start(MaintenanceHandler, Lane, Lanes, Replay)
  expect(handlers.getHandler('lane')).toBeInstanceOf(Lane)
  expect(handlers.getHandler('maintenance')).toBeInstanceOf(MaintenanceHandler)
  expect(handlers.getHandler('unknown')).toBeUndefined()
})

it('refuses to start without a handler for a job, and names the job', async () => {
  await expect(start(MaintenanceHandler, Lanes, Replay)).rejects.toThrow('no class handles lane')
  await expect(start(Lanes, Replay)).rejects.toThrow('no class handles lane; no class handles maintenance')
})

it('refuses to start when two modules declare the same job', async () => {
  const again = declareJobs({ replay: {} })
  await expect(start(MaintenanceHandler, Lane, Lanes, Replay, again)).rejects.toThrow(
    'Two modules declare the job replay',
  )
})

it('refuses to start when a job has two handlers, and names them', async () => {
  await expect(start(MaintenanceHandler, Lane, OtherLane, Lanes, Replay)).rejects.toThrow(
    'Lane and OtherLane handle lane',
  )
})
