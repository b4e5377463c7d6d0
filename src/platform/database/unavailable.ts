/**
 * Recognizes errors that mean that PostgreSQL is unreachable or temporarily overloaded. Errors of PostgreSQL and of the
 * socket are recognized by their code, errors of the driver and its pool by their message.
 */
import { QueryRunnerAlreadyReleasedError } from 'typeorm'

interface DriverError {
  code?: unknown
  syscall?: unknown
  message?: unknown
  /** The error of the driver, which TypeORM wraps in its own. */
  driverError?: unknown
}

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])
/** 08: connection errors. 57P: the server starts, stops or ended the session. 53300: too many connections. */
const connectionStates = /^(?:08|57P|53300)/
/** A write failed, because the server has become a standby or is read-only for another reason. */
const readOnlyServer = '25006'
/** 53: insufficient resources. 40001 and 40P01: serialization failures and deadlocks. 57014: over the time limit. */
const passingStates = /^(?:53|40001|40P01|57014)/
const noResponse = 'Query read timeout'
const driverMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout e(?:xpired|xceeded when trying to connect))/

/** Returns whether the connection is open but must not be reused. */
export function isConnectionUnusable({ code, message }: DriverError): boolean {
  return code === readOnlyServer || message === noResponse
}

/** Returns whether there was no connection, or the connection was lost or must be replaced. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if (error instanceof QueryRunnerAlreadyReleasedError) return true
  const { code, syscall, driverError, message } = error as DriverError
  if (typeof code === 'string')
    return (
      socketCodes.has(code) || connectionStates.test(code) || code === readOnlyServer || syscall === 'connect'
    )
  if (driverError !== undefined) return isConnectionLost(driverError)
  return typeof message === 'string' && driverMessages.test(message)
}

/** Returns whether the same request may succeed if it is retried. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as DriverError
  return isConnectionLost(error) || (typeof code === 'string' && passingStates.test(code))
}
