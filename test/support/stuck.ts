import { runInNewContext } from 'node:vm'

/** Fails if the work takes 10 seconds, which means that a regular expression backtracks catastrophically. */
export function withoutGettingStuck<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: 10_000 }) as T
}
