/** Limits how long the roller runs on a busy machine. */
import { maxBusyRunMs, maxRunMs, minIdleProcessors, rollEveryMs } from '../limits.js'
import { RollJob, computeRunLimit } from './roll.job.js'
import type { AnalyticsLag } from './checkpoints.repository.js'
import type { Roller } from './roller.js'

const { jest } = import.meta

it.each([
  { idle: 1, isFullRun: false, isLate: false, ms: maxRunMs },
  { idle: minIdleProcessors, isFullRun: false, isLate: false, ms: maxRunMs },
  { idle: minIdleProcessors, isFullRun: true, isLate: false, ms: maxRunMs },
  { idle: minIdleProcessors - 0.01, isFullRun: false, isLate: false, ms: 0 },
  { idle: minIdleProcessors - 0.01, isFullRun: true, isLate: false, ms: maxBusyRunMs },
  { idle: 0, isFullRun: true, isLate: false, ms: maxBusyRunMs },
  { idle: 0, isFullRun: true, isLate: true, ms: maxRunMs },
])('limits a run with $idle idle processors (all workspaces: $isFullRun, late: $isLate) to $ms ms', (row) => {
  expect(computeRunLimit(row.idle, row)).toBe(row.ms)
})

/** Idle time of the only processor in the 1,000 ms between two measurements. */
let idle: number
beforeEach(() => (idle = 0))

const time = { idle: 0, all: 0, count: 1 }
class JobOnMachine extends RollJob {
  protected override readProcessorTimes() {
    time.idle += idle
    time.all += 1_000
    return { ...time }
  }
}

/** Creates a job whose roller calls `shouldStop` before each step and runs at most three steps. */
function jobWithSteps() {
  const runs: { all: boolean; steps: number }[] = []
  let beforeStep: (step: number) => void = () => undefined
  const roller = {
    rollWorkspaces: (all: boolean, shouldStop: () => boolean) => {
      let steps = 0
      for (; steps < 3; steps++) {
        beforeStep(steps)
        if (shouldStop()) break
      }
      runs.push({ all, steps })
      return Promise.resolve()
    },
  } as unknown as Roller
  const lag = { readSeconds: () => Promise.resolve(0) } as unknown as AnalyticsLag
  const job = new JobOnMachine(roller, lag)
  return { job, runs, before: (work: typeof beforeStep) => (beforeStep = work) }
}

it('counts all workspaces in the first run, and nothing in the next one on a busy machine', async () => {
  const { job, runs } = jobWithSteps()
  await job.handle()
  await job.handle()
  expect(runs).toEqual([
    { all: true, steps: 3 },
    { all: false, steps: 0 },
  ])
})

it('ends a run before the next step when the machine becomes busy', async () => {
  const { job, runs, before } = jobWithSteps()
  await job.handle()
  before((step) => (idle = step < 2 ? 900 : 100))
  await job.handle()
  expect(runs.at(-1)).toEqual({ all: false, steps: 2 })
})

it('starts no step while the worker shuts down, even on an idle machine', async () => {
  const { job, runs } = jobWithSteps()
  idle = 1_000
  job.onModuleDestroy()
  await job.handle()
  expect(runs).toEqual([{ all: true, steps: 0 }])
})

it('counts all workspaces again after two minutes, even if the clock was set back', async () => {
  jest.useFakeTimers()
  const { job, runs } = jobWithSteps()
  await job.handle()
  jest.setSystemTime(Date.now() - 6 * 3_600_000)
  await job.handle()
  jest.advanceTimersByTime(rollEveryMs)
  await job.handle()
  expect(runs.map(({ all }) => all)).toEqual([true, false, true])
  jest.useRealTimers()
})
