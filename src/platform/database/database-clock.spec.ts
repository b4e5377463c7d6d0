import { Logger } from '@nestjs/common'
import type { DataSource } from 'typeorm'

import { currentMs } from '../util/clock.js'
import { DatabaseClock } from './database-clock.js'

const { jest } = import.meta

const hourMs = 3_600_000
let databaseMs: () => number
let queries = 0
let isDown = false
const dataSource = {
  isInitialized: true,
  query: () => {
    queries += 1
    return isDown
      ? Promise.reject(new Error('the database is down'))
      : Promise.resolve([{ now: databaseMs() }])
  },
} as unknown as DataSource
let clock: DatabaseClock

beforeAll(() => Logger.overrideLogger(false))
beforeEach(async () => {
  jest.useFakeTimers()
  const startedAt = Date.now() - performance.now()
  // Fake timers move the monotonic clock too, except when they set the system time.
  databaseMs = () => startedAt + performance.now()
  clock = new DatabaseClock(dataSource)
  await clock.onModuleInit()
  queries = 0
})
afterEach(() => {
  clock.onApplicationShutdown()
  jest.useRealTimers()
})

it.each([hourMs, -hourMs])('corrects a step of the clock by %i ms within a second', async (stepMs) => {
  jest.setSystemTime(Date.now() + stepMs)
  expect(Math.round(currentMs() - databaseMs())).toBe(stepMs)
  await jest.advanceTimersByTimeAsync(1_000)
  expect(Math.round(currentMs() - databaseMs())).toBe(0)
})

it('measures every ten seconds while no clock is stepped', async () => {
  await jest.advanceTimersByTimeAsync(60_000)
  expect(queries).toBe(6)
})

it('tries again within a second when the first measurement after a step fails', async () => {
  jest.setSystemTime(Date.now() + hourMs)
  isDown = true
  await jest.advanceTimersByTimeAsync(1_000)
  isDown = false
  await jest.advanceTimersByTimeAsync(1_000)
  expect(Math.round(currentMs() - databaseMs())).toBe(0)
})
