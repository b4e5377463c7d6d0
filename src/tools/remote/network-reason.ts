/** Describes why a request got no response. */
import { ConnectionError, TimeoutError } from '@link-service/client'

const reasons: Record<string, (url: URL) => string> = {
  ECONNREFUSED: (url) => `nothing listens on ${url.host}`,
  ENOTFOUND: (url) => `the host ${url.hostname} was not found`,
  EAI_AGAIN: (url) => `the name ${url.hostname} could not be resolved`,
  EHOSTUNREACH: (url) => `there is no route to ${url.hostname}`,
  ENETUNREACH: (url) => `there is no route to ${url.hostname}`,
  ECONNRESET: () => 'the connection was closed before the response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => 'the connection was closed before the response',
  EPIPE: () => 'the connection was closed before the response',
  UND_ERR_SOCKET: () => 'the connection was closed before the response',
  ETIMEDOUT: () => 'no response in time',
  UND_ERR_CONNECT_TIMEOUT: () => 'no response in time',
  TimeoutError: () => 'no response in time',
  HTTPParserError: () => 'the response is not HTTP',
}

export function networkReason(error: Error, url: URL): string {
  // The cause of the client's error is the error of `fetch`, whose own cause is the reason.
  if (error instanceof ConnectionError && !(error instanceof TimeoutError)) {
    const failed = error.cause as Error
    return networkReason(failed.cause instanceof Error ? failed.cause : failed, url)
  }
  const { code = '' } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? reasons[error.name]
  if (reason) return reason(url)
  if (/CERT|SELF_SIGNED|ISSUER/.test(code))
    return `the certificate of ${url.host} is not trusted (${code}); add its authority with NODE_EXTRA_CA_CERTS`
  if (/SSL|TLS|EPROTO/.test(code)) return `the TLS connection to ${url.host} failed (${code})`
  return `no response (${code || error.name})`
}
