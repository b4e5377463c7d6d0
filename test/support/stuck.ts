import { runInNewContext } from 'node:vm'

/** Fails if the work takes 10 seconds. It needs milliseconds unless an expression backtracks without end. */
export function withoutGettingStuck<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: 10_000 }) as T
}
