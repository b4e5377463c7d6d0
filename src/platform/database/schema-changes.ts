/**
 * While a migration waits for a table lock, all later statements on the table queue behind it. So each attempt waits
 * only briefly, and other statements run between the attempts.
 */
import { setTimeout } from 'node:timers/promises'

import { StartupError } from '../config/startup-error.js'
import { commandText } from '../util/program.js'

/** Shorter than `deadlock_timeout` (1 s), so that the migration gives up before a request loses a deadlock. */
export const lockTimeoutMs = 250
const pauseMs = 2_000
/** About ten minutes. */
const maxAttempts = 260
/** A lock timeout, or a deadlock. */
const lostLocks = /^(?:55P03|40P01)$/

/** Retries the work until it gets its locks. The work must leave nothing behind when it fails. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (!lostLocks.test(String((error as { code?: unknown }).code))) throw error
      if (attempt === 1) process.stderr.write('Waiting for a table that another transaction has locked.\n')
      if (attempt === maxAttempts)
        throw new StartupError(
          `Another transaction has locked a table of the service for ten minutes. Find the oldest transaction with \`${commandText('doctor')}\`, end it, and try again.`,
        )
      await setTimeout(pauseMs)
    }
}

const insufficientPrivilege = '42501'

/** Returns the error to throw instead. */
export function explainMissingPrivilege(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  if (code !== insufficientPrivilege) return error
  return new StartupError(
    `The role in DATABASE_URL lacks a privilege: ${message}. Use the role that owns the database and its tables.`,
  )
}
