import { networks } from '../../src/platform/config/rules.js'
import { OutboundClient, type OutboundRequest } from '../../src/platform/outbound/outbound-client.js'
import type { Outcome } from '../../src/platform/outbound/outcome.js'
import { readAuthorities } from '../../src/webhooks/authorities.js'
import { egressProxy, sourceAddresses } from '../../src/platform/config/egress-settings.js'
import type { LookUp } from '../../src/platform/outbound/name-lookup.js'

interface Wanted {
  allowed?: string | null
  allowHttp?: boolean
  caFile?: string | null
  timeoutSeconds?: number
  lookUp?: LookUp
  proxy?: string | null
  source?: string | null
}

export interface TestClient {
  client: OutboundClient
  send(url: string, request?: Partial<OutboundRequest>): Promise<Outcome>
  stop(): void
}

/** An outbound client that may use plain HTTP to loopback, and resolves names to it. */
export function startClient({
  allowed = '127.0.0.0/8',
  allowHttp = true,
  caFile = null,
  timeoutSeconds = 10,
  lookUp = () => Promise.resolve(['127.0.0.1']),
  proxy = null,
  source = null,
}: Wanted = {}): TestClient {
  const client = new OutboundClient({
    allowHttp,
    allowedNetworks: allowed === null ? [] : networks(allowed),
    authorities: caFile === null ? [] : readAuthorities(caFile),
    timeoutMs: timeoutSeconds * 1000,
    lookUp,
    proxy: proxy === null ? null : egressProxy(proxy),
    source: source === null ? null : sourceAddresses(source),
  })
  return {
    client,
    send: (url, request) =>
      client.send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', ...request }),
    stop: () => client.onModuleDestroy(),
  }
}
