/**
 * Recognizes errors that mean that PostgreSQL cannot be reached or can do no more at the moment. Errors of PostgreSQL
 * and of the socket have a code, and then the code alone decides. Errors that the driver and its pool create themselves
 * have only a message.
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
/** Class 08 is the connection; 57P is a server that starts, stops or ended the session. */
const connectionStates = /^(?:08|57P)/
/** Class 53 is a lack of resources, such as connections. Serialization failures and deadlocks pass on a repetition. */
const passingStates = /^(?:53|40001|40P01)/
const driverMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout e(?:xpired|xceeded when trying to connect))/

/** True when there was no connection, or when the one in use was lost. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if (error instanceof QueryRunnerAlreadyReleasedError) return true
  const { code, syscall, driverError, message } = error as DriverError
  if (typeof code === 'string')
    return socketCodes.has(code) || connectionStates.test(code) || syscall === 'connect'
  if (driverError !== undefined) return isConnectionLost(driverError)
  return typeof message === 'string' && driverMessages.test(message)
}

/** True when the same request may succeed, unchanged, in a moment. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as DriverError
  return isConnectionLost(error) || (typeof code === 'string' && passingStates.test(code))
}
