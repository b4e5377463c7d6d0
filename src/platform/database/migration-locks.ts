/**
 * While a migration waits for a lock, all later statements on the table wait behind it. So an attempt waits only for a
 * moment, and other statements run between the attempts.
 */
import { setTimeout } from 'node:timers/promises'

import { StartupError } from '../config/startup-error.js'

export const lockMayTakeMs = 1_000
const pauseMs = 2_000
/** About ten minutes. */
const mostAttempts = 200
const lockTimeout = '55P03'

/** Repeats the work, which must leave nothing behind when it fails. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockTimeout) throw error
      if (attempt === 1) process.stderr.write('Waiting for a table that another transaction has locked.\n')
      if (attempt === mostAttempts)
        throw new StartupError(
          'Another transaction has locked a table of the service for ten minutes. `doctor` names the oldest transaction. End it, and try again.',
        )
      await setTimeout(pauseMs)
    }
}
