/** Explains why a migration was rejected. The role of a new database often lacks privileges. */
import { StartupError } from '../config/startup-error.js'

const insufficientPrivilege = '42501'

/** Returns the error to throw instead. */
export function explainMissingPrivilege(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  if (code !== insufficientPrivilege) return error
  return new StartupError(
    `The role in DATABASE_URL lacks a privilege: ${message}. Use the role that owns the database and its tables.`,
  )
}
