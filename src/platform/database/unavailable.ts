/**
 * Which errors say that PostgreSQL cannot be reached, or can do no more at the moment. PostgreSQL and the socket give
 * codes, and then the code alone decides. What the driver and its pool make up themselves has no code, only a message.
 */
import { QueryRunnerAlreadyReleasedError } from 'typeorm'

interface DriverError {
  code?: unknown
  syscall?: unknown
  message?: unknown
  /** TypeORM wraps what the driver threw. */
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
/** Class 53 is a lack of resources, such as connections; a repetition cures a lost serialization and a deadlock. */
const passingStates = /^(?:53|40001|40P01)/
const driverMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout e(?:xpired|xceeded when trying to connect))/

/** There is no connection, or the one that was used has gone. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if (error instanceof QueryRunnerAlreadyReleasedError) return true
  const { code, syscall, driverError, message } = error as DriverError
  if (typeof code === 'string')
    return socketCodes.has(code) || connectionStates.test(code) || syscall === 'connect'
  if (driverError !== undefined) return isConnectionLost(driverError)
  return typeof message === 'string' && driverMessages.test(message)
}

/** The same request may succeed in a moment, unchanged. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as DriverError
  return isConnectionLost(error) || (typeof code === 'string' && passingStates.test(code))
}
