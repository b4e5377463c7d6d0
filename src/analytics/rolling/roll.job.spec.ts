/** When the roller leaves the machine to visitors. */
import { idleEnough, runMayDisturbMs, runMayTakeMs } from '../limits.js'
import { RollJob, runMayTake } from './roll.job.js'
import type { Roller } from './roller.js'

it.each([
  { idle: 1, all: false, ms: runMayTakeMs },
  { idle: idleEnough, all: false, ms: runMayTakeMs },
  { idle: idleEnough, all: true, ms: runMayTakeMs },
  { idle: idleEnough - 0.01, all: false, ms: 0 },
  { idle: idleEnough - 0.01, all: true, ms: runMayDisturbMs },
  { idle: 0, all: true, ms: runMayDisturbMs },
])('with $idle idle a run that takes everything ($all) may take $ms ms', ({ idle, all, ms }) => {
  expect(runMayTake(idle, all)).toBe(ms)
})

/** How many of the 1,000 ms between two looks the one processor is idle. */
let idle: number
beforeEach(() => (idle = 0))

const time = { idle: 0, all: 0, count: 1 }
class JobOnMachine extends RollJob {
  protected override times() {
    time.idle += idle
    time.all += 1_000
    return { ...time }
  }
}

/** A job whose roller asks before each step whether it is enough, and takes three steps at most. */
function jobWithSteps() {
  const runs: { all: boolean; steps: number }[] = []
  let beforeStep: (step: number) => void = () => undefined
  const roller = {
    run: (all: boolean, isEnough: () => boolean) => {
      let steps = 0
      for (; steps < 3; steps++) {
        beforeStep(steps)
        if (isEnough()) break
      }
      runs.push({ all, steps })
      return Promise.resolve()
    },
  } as unknown as Roller
  const job = new JobOnMachine(roller)
  return { job, runs, before: (work: typeof beforeStep) => (beforeStep = work) }
}

it('the first run takes everything; the next one takes nothing while the machine is full', async () => {
  const { job, runs } = jobWithSteps()
  await job.handle()
  await job.handle()
  expect(runs).toEqual([
    { all: true, steps: 3 },
    { all: false, steps: 0 },
  ])
})

it('a run ends in front of the step before which the machine became full', async () => {
  const { job, runs, before } = jobWithSteps()
  await job.handle()
  before((step) => (idle = step < 2 ? 900 : 100))
  await job.handle()
  expect(runs.at(-1)).toEqual({ all: false, steps: 2 })
})

it('no step begins once the worker stops, however idle the machine is', async () => {
  const { job, runs } = jobWithSteps()
  idle = 1_000
  job.onModuleDestroy()
  await job.handle()
  expect(runs).toEqual([{ all: true, steps: 0 }])
})
