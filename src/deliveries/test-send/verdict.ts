/** Explains the outcome of a test to the developer of the receiver, and how to fix it. */
import type { Outcome, TlsFault } from '../../platform/outbound/outcome.js'
import { findOnlyFormat } from '../../webhooks/formats/webhook-formats.js'
import type { WebhookFormat } from '../../webhooks/formats/webhook-formats.js'
import { listenCommand } from '../../webhooks/webhook-url.js'
import { parseUrl } from '../../platform/util/parse-url.js'
import { publicCommandText } from '../../platform/util/program.js'

export type TestOutcome = Pick<
  Outcome,
  'statusCode' | 'durationMs' | 'error' | 'remoteAddress' | 'responseHeaders' | 'timings' | 'retryAfter'
>

export function createVerdict(outcome: TestOutcome, url: string, format: WebhookFormat = 'standard'): string {
  const { error, statusCode, durationMs } = outcome
  if (!error) return `The receiver responded with ${statusCode ?? '2xx'} in ${durationMs} ms.`
  const { hostname, host } = parseUrl(url)!
  const cause = toSentence(error.message)
  const at = outcome.remoteAddress ? `${host} (${outcome.remoteAddress})` : host
  switch (error.class) {
    case 'redirect':
      return explainRedirect(outcome)
    case 'http_status':
      return `${explainStatus(outcome)}${adviseFormat(url, format)}`
    case 'dns':
      return explainDns(cause, hostname)
    case 'blocked_address':
      return `Webhooks must not connect to the IP address of ${hostname}. ${cause} Use a URL that is reachable from the internet. For development, run ${listenCommand}. The operator can allow networks with WEBHOOK_ALLOWED_CIDRS.`
    case 'proxy':
      return `The test did not reach the receiver. ${cause} The webhook is not affected: its deliveries wait until the proxy works. Ask the operator to run ${publicCommandText('doctor')}.`
    case 'refused':
      return `Nothing accepts connections at ${at}. Check that the receiver is running and that the port is correct.`
    case 'reset':
      return `The connection to ${at} was closed before the response was complete. Check the receiver's log for a crash, and any proxy in front of it.`
    case 'tls':
      return `The TLS connection to ${at} failed. ${cause} ${tlsAdvice[error.tlsFault ?? 'other']}`
    case 'timeout':
      return error.phase === 'dns' ? explainDns(cause, hostname) : explainTimeout(outcome, at)
    case 'too_large':
      return `${cause} Respond with fewer headers, and with a short or empty body.`
    // Only old records have the class `canceled`.
    case 'canceled':
    case 'other':
      // Without an address there was no connection, unless there is a proxy.
      if (outcome.remoteAddress === null && outcome.timings.firstByteMs === null)
        return `Nothing was sent. ${cause} Check the URL of the webhook, and the settings and the network of this service.`
      return `The request failed. ${cause} Run the curl command from another machine to find out whether the receiver or this service causes the failure.`
  }
}

function explainRedirect({ statusCode, responseHeaders }: TestOutcome): string {
  const location = responseHeaders?.['location']
  const response = `The receiver responded with ${statusCode ?? '3xx'}`
  return location
    ? `${response}, a redirect to ${location}. Webhooks do not follow redirects: use that URL for the webhook instead.`
    : `${response}. Webhooks do not follow redirects: use the final URL for the webhook instead.`
}

function explainStatus({ statusCode, durationMs, retryAfter }: TestOutcome): string {
  const until = retryAfter ? ` and requested a pause until ${retryAfter.toISOString()}` : ''
  return `The receiver responded with ${statusCode ?? 'no status'} in ${durationMs} ms${until}. ${getAdvice(statusCode ?? 0)}`
}

/** Returns a hint if the receiver is known to accept only another format. */
function adviseFormat(url: string, format: WebhookFormat): string {
  const only = findOnlyFormat(url)
  return only === null || only === format
    ? ''
    : ` Receivers at ${parseUrl(url)!.host} accept only messages: set the format of the webhook to ${only}.`
}

const statusAdvice: Partial<Record<number, string>> = {
  400: 'It could not read the request. The response body may say why. Check that the receiver accepts JSON.',
  401: 'The receiver requires authentication. Allow unauthenticated requests to this path, and verify the signature instead.',
  403: 'It rejects the request. If it verifies signatures, check the secret. If it is behind a firewall, allow requests from this service.',
  404: 'Nothing exists at this path. Check the path of the URL.',
  405: 'It does not accept POST at this path. Check the path, and the routes of the receiver.',
  410: 'The endpoint no longer accepts events. A webhook is disabled when a real event gets this response.',
  413: 'The event is too large for the receiver. Raise its limit for request bodies.',
  415: 'It does not accept JSON. Allow Content-Type: application/json.',
  429: 'It receives too many requests. Lower the maximum number of concurrent requests (max_in_flight), or raise the rate limit of the receiver.',
  500: 'It failed while processing the event. Check its log.',
  502: 'The proxy in front of it received no valid response. Check that the receiver itself is running.',
  503: 'It is not ready for requests. Check that it is running and not overloaded.',
  504: 'The proxy in front of it timed out. Respond first, then process the event.',
}

function getAdvice(status: number): string {
  return (
    statusAdvice[status] ??
    (status >= 500
      ? 'The receiver failed. Check its log.'
      : 'It rejects the request. The response body may say why. Only 2xx counts as delivered.')
  )
}

function explainDns(cause: string, hostname: string): string {
  return `${cause} Check the spelling of ${hostname}, and that its DNS record is public.`
}

function explainTimeout({ durationMs, error, statusCode, timings }: TestOutcome, at: string): string {
  const seconds = (durationMs / 1000).toFixed(1)
  if (error?.phase === 'tls')
    return `The receiver at ${at} accepted the connection, but the TLS handshake did not finish within ${seconds} s. ${tlsAdvice.plain_text}`
  if (error?.phase === 'body')
    return `The receiver at ${at} responded with ${statusCode ?? 'a status'}, but the response was not complete within ${seconds} s. Respond with a short or empty body.`
  return timings.connectMs === null && timings.tlsMs === null
    ? `No connection to ${at} within ${seconds} s. Check that it is reachable from the internet. A firewall may drop requests silently.`
    : `The receiver at ${at} accepted the connection but did not respond within ${seconds} s. Respond first, then process the event.`
}

const tlsAdvice: Record<TlsFault, string> = {
  expired: 'Renew the certificate.',
  not_yet_valid: 'Check the certificate, and the clocks of both machines.',
  wrong_name: 'Use a certificate for this host, or change the URL to a host that the certificate covers.',
  incomplete_chain: 'Send the full certificate chain: add the intermediate certificate to the receiver.',
  unknown_authority:
    'Use a certificate from a public authority. The operator can add other authorities with WEBHOOK_CA_FILE.',
  plain_text: 'Check the port, and that the receiver uses TLS on this port.',
  other: 'Check the certificate and the TLS settings of the receiver.',
}

function toSentence(message: string): string {
  const text = message.trim()
  if (text === '') return 'The cause is unknown.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
