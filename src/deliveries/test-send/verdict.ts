/** What a test's outcome means to the person who runs the receiver, and what to do about it. */
import type { Outcome, TlsFault } from '../../platform/outbound/outcome.js'
import { listenCommand } from '../../webhooks/webhook-url.js'

export type Told = Pick<
  Outcome,
  'statusCode' | 'durationMs' | 'error' | 'remoteAddress' | 'responseHeaders' | 'timings' | 'retryAfter'
>

export function verdictOf(outcome: Told, url: string): string {
  const { error, statusCode, durationMs } = outcome
  if (!error) return `The receiver answered ${statusCode ?? '2xx'} in ${durationMs} ms.`
  const { hostname, host } = new URL(url)
  const said = sentenceOfOutcome(error.message)
  const at = outcome.remoteAddress ? `${host} (${outcome.remoteAddress})` : host
  switch (error.class) {
    case 'redirect':
      return redirected(outcome)
    case 'http_status':
      return answered(outcome)
    case 'dns':
      return `The name ${hostname} could not be looked up. ${said} Check its spelling, and that its DNS record is public.`
    case 'blocked_address':
      return `Webhooks must not reach the address of ${hostname}. ${said} Use a public address; for development there is ${listenCommand}. Who runs this service can open networks with WEBHOOK_ALLOWED_CIDRS.`
    case 'refused':
      return `Nothing accepts connections at ${at}. Check that the receiver is running, and the port.`
    case 'reset':
      return `The connection to ${at} was closed before there was an answer. Check the receiver's log for a crash, and any proxy in front of it.`
    case 'tls':
      return `No secure connection to ${at}. ${said} ${tlsAdvice[error.tlsFault ?? 'other']}`
    case 'timeout':
      return timedOut(outcome, at)
    case 'too_large':
      return `The answer is larger than what is read of one. ${said} Answer with few headers and a short body, or none.`
    // Only old records have this class, because no request is given up before its deadline any more.
    case 'canceled':
    case 'other':
      // Without an address there was no connection.
      if (outcome.remoteAddress === null)
        return `Nothing was sent. ${said} Check the webhook's address, and the settings and the network of this service.`
      return `The request failed. ${said} Try the curl line from another machine to see on which side the fault is.`
  }
}

function redirected({ statusCode, responseHeaders }: Told): string {
  const location = responseHeaders?.['location']
  const answer = `It answered ${statusCode ?? '3xx'}${location ? ` to ${location}` : ''}: webhooks do not follow redirects`
  return location ? `${answer}; register that address.` : `${answer}; register the address itself.`
}

function answered({ statusCode, durationMs, retryAfter }: Told): string {
  const until = retryAfter ? `, and wants no more before ${retryAfter.toISOString()}` : ''
  return `It answered ${statusCode ?? 'something'} in ${durationMs} ms${until}: ${meaningOf(statusCode ?? 0)}`
}

const meanings: Partial<Record<number, string>> = {
  400: 'it does not understand the request. Its body may say why; check that it takes JSON.',
  401: 'it wants a login. Let this path through without one, and check the signature instead.',
  403: 'it refuses the request. If it checks signatures, compare the secret; if a firewall stands in front, let this service through.',
  404: 'there is nothing at this path. Check the path of the address.',
  405: 'it does not take POST at this path. Check the path, and the routes of the receiver.',
  410: 'it wants no more events. A real event answered like this would disable the webhook at once.',
  413: 'the event is too large for it. Raise the limit for bodies there.',
  415: 'it does not take JSON. Let it accept Content-Type: application/json.',
  429: 'it is asked too often. Lower max_in_flight of the webhook, or raise its limit.',
  500: 'it failed while it handled the event. The cause is in its log.',
  502: 'the proxy in front got no sound answer from it. Check that the receiver itself is running.',
  503: 'it is not ready for requests. Check that it has started and is not overloaded.',
  504: 'the proxy in front waited for it too long. Answer first, and do the work afterwards.',
}

function meaningOf(status: number): string {
  return (
    meanings[status] ??
    (status >= 500
      ? 'the fault is on its side. Look into its log.'
      : 'it refuses the request. Its body may say why. Only 2xx counts as received.')
  )
}

function timedOut({ durationMs, timings }: Told, at: string): string {
  const seconds = (durationMs / 1000).toFixed(1)
  return timings.connectMs === null && timings.tlsMs === null
    ? `There was no answer from ${at} within ${seconds} s. Check that it can be reached from the internet; a firewall may drop requests silently.`
    : `The receiver at ${at} took the connection but did not answer within ${seconds} s. Answer first, and do the work afterwards.`
}

const tlsAdvice: Record<TlsFault, string> = {
  expired: 'Renew the certificate.',
  not_yet_valid: 'Check the certificate, and the clock of both machines.',
  wrong_name: 'Use a certificate that names this host, or the host that it names.',
  incomplete_chain: 'Have the receiver send the whole chain: add the intermediate certificate there.',
  unknown_authority:
    'Use a certificate of a public authority; who runs this service can add others with WEBHOOK_CA_FILE.',
  plain_text: 'Check the port.',
  other: 'Check the certificate and the TLS settings of the receiver.',
}

function sentenceOfOutcome(message: string): string {
  const text = message.trim()
  if (text === '') return 'The cause is not known.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
