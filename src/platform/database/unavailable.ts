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
/** Class 08 is the connection; 57P is a server that starts, stops or ended the session; 53300 is too many connections. */
const connectionStates = /^(?:08|57P|53300)/
/** A statement that writes failed, because the server has become a standby or is read-only for another reason. */
const readOnlyServer = '25006'
/**
 * Class 53 is a lack of resources. Serialization failures and deadlocks do not happen again on a retry. 57014 is a
 * statement that was canceled after its time limit.
 */
const passingStates = /^(?:53|40001|40P01|57014)/
const noResponse = 'Query read timeout'
const driverMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout e(?:xpired|xceeded when trying to connect))/

/** True when the connection is open but must not be used again. */
export function isConnectionUnusable({ code, message }: DriverError): boolean {
  return code === readOnlyServer || message === noResponse
}

/** True when there was no connection, or when the one in use was lost or has to be replaced. */
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

/** True when the same request may succeed, unchanged, in a moment. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as DriverError
  return isConnectionLost(error) || (typeof code === 'string' && passingStates.test(code))
}
