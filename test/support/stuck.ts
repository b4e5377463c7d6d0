import { runInNewContext } from 'node:vm'

/** Fails where the work takes seconds: for what takes milliseconds, unless each character is looked at again and again. */
export function withoutGettingStuck<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: 10_000 }) as T
}
