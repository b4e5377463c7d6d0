/** What commands say when a call of the API gets no answer, or one that they did not expect. */
import { type ConnectionError, TimeoutError } from '@link-service/client'

export const exampleAddress = 'http://localhost:3000/api'

/** Says that something else than the API answered. `option` is what gave the address. */
export function notTheApi(url: string, status: number | null, option: string): string {
  return `${url} answered ${status}, and not as the API does. Is ${option} its address, such as ${exampleAddress}?`
}

export function tokenRefused(detail: string): string {
  return `The service refuses the token. ${detail}`.trim()
}

/** Why a request got no answer, in words for the person at the terminal. */
const sentences: Record<string, (url: URL) => string> = {
  ECONNREFUSED: (url) => `nothing listens on ${url.host}`,
  ENOTFOUND: (url) => `there is no host ${url.hostname}`,
  EAI_AGAIN: (url) => `the name ${url.hostname} could not be looked up`,
  EHOSTUNREACH: (url) => `there is no way to ${url.hostname}`,
  ENETUNREACH: (url) => `there is no way to ${url.hostname}`,
  ECONNRESET: () => 'the connection was closed before the answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => 'the connection was closed before the answer',
  EPIPE: () => 'the connection was closed before the answer',
  UND_ERR_SOCKET: () => 'the connection was closed before the answer',
  ETIMEDOUT: () => 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: () => 'no answer in time',
  TimeoutError: () => 'no answer in time',
  HTTPParserError: () => 'the answer is not HTTP',
}

export function explainNetworkError(error: Error, url: URL): string {
  const { code = '' } = error as NodeJS.ErrnoException
  const sentence = sentences[code] ?? sentences[error.name]
  if (sentence) return sentence(url)
  if (/CERT|SELF_SIGNED|ISSUER/.test(code))
    return `the certificate of ${url.host} is not trusted (${code}); NODE_EXTRA_CA_CERTS names a file of more authorities`
  if (/SSL|TLS|EPROTO/.test(code)) return `no secure connection to ${url.host} (${code})`
  return `no answer (${code || error.name})`
}

/** As `explainNetworkError`, for a call of the client. The error of `fetch` has the reason in its cause. */
export function reasonOfNoAnswer(error: ConnectionError, url: URL): string {
  if (error instanceof TimeoutError) return explainNetworkError(error, url)
  const failed = error.cause as Error
  return explainNetworkError(failed.cause instanceof Error ? failed.cause : failed, url)
}
