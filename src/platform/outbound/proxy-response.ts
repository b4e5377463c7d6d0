/**
 * Decides whether a refused CONNECT is a fault of the proxy or of the receiver
 * (docs/decisions/0034-egress-proxy.md).
 */
import { STATUS_CODES } from 'node:http'

import type { Origin } from './destination.js'
import { Failure } from './outcome.js'

export interface RefusedTunnel {
  failure: Failure
  /** Whether the proxy refuses connections to all receivers. */
  isTotal: boolean
}

type ProxyHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Errors that Squid reports with 503, although the receiver causes them. */
const squidErrors: Readonly<Record<string, 'dns' | 'refused' | 'timeout'>> = {
  ERR_DNS_FAIL: 'dns',
  ERR_CONNECT_FAIL: 'refused',
  ERR_CANNOT_FORWARD: 'refused',
  ERR_READ_TIMEOUT: 'timeout',
}

export function explainRefusal(
  status: number,
  headers: ProxyHeaders,
  { hostname, port }: Origin,
): RefusedTunnel {
  const statusLine = `${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ''}`
  const host = `${hostname}:${port}`
  const charge = (kind: 'blocked_address' | 'dns' | 'refused' | 'timeout', message: string) => ({
    failure: new Failure(kind, message),
    isTotal: false,
  })
  // Smokescreen responds with 407 to a receiver that its rules do not allow.
  if (status === 403 || (status === 407 && headers['x-smokescreen-error'] !== undefined))
    return charge(
      'blocked_address',
      `The egress proxy of this service does not allow connections to ${host} (${statusLine}).`,
    )
  const squidError = squidErrors[String(headers['x-squid-error']).split(' ', 1)[0]!]
  if (squidError === 'dns' && status >= 500)
    return charge('dns', `The egress proxy of this service could not look up the name ${hostname}.`)
  if (status === 504 || (squidError === 'timeout' && status >= 500))
    return charge(
      'timeout',
      `${host} did not accept the connection of the egress proxy in time (${statusLine}).`,
    )
  if (status === 502 || (squidError === 'refused' && status >= 500))
    return charge('refused', `The egress proxy of this service could not connect to ${host} (${statusLine}).`)
  if (status === 407)
    return {
      failure: createProxyFailure('The egress proxy of this service did not accept its credentials (407).'),
      isTotal: true,
    }
  return {
    failure: createProxyFailure(
      `The egress proxy of this service responded with ${statusLine} and did not open a connection.`,
    ),
    isTotal: false,
  }
}

/** A fault of the proxy, which is not charged to the receiver. */
export function createProxyFailure(message: string): Failure {
  return new Failure('proxy', message)
}
