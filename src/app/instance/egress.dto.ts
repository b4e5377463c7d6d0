import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import type { Caller } from '../../auth/caller.js'
import { openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import type { Settings } from '../../settings.js'

/** Where the addresses come from. */
const sources = ['configured', 'source_address', 'unknown'] as const
type EgressSource = (typeof sources)[number]

type EgressSettings = Pick<Settings, 'webhookEgressIps' | 'webhookProxy' | 'webhookSourceAddress'>

@ApiSchema({ name: 'EgressProxy', description: 'Proxy through which deliveries are sent.' })
export class EgressProxyDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Host of the proxy. Null for tokens without the scope `instance:read`.',
    example: 'proxy.internal.example',
  })
  host!: string | null

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Port of the proxy. Null for tokens without the scope `instance:read`.',
    example: 3128,
  })
  port!: number | null
}

@ApiSchema({ name: 'Egress', description: 'Where deliveries come from.' })
export class EgressDto {
  @ApiProperty({
    type: String,
    isArray: true,
    description:
      'IP addresses and networks that deliveries come from. Empty if the service does not know them.',
    example: ['198.51.100.7', '2001:db8::/64'],
  })
  addresses!: string[]

  @ApiProperty({
    ...openEnumSchema(
      'EgressSource',
      'Source of the addresses: the setting `WEBHOOK_EGRESS_IPS` (`configured`), or the local address of connections (`source_address`), which receivers do not see behind NAT. `unknown`: neither is set.',
      sources,
    ),
    description: 'Source of the addresses.',
    example: 'configured',
  })
  source!: EgressSource

  @ApiProperty({
    type: EgressProxyDto,
    nullable: true,
    description: 'Proxy through which deliveries are sent. Null if they are sent directly.',
    example: null,
  })
  proxy!: EgressProxyDto | null

  @ApiProperty({
    description: 'What to allow in a firewall, as human-readable text.',
    example: 'Deliveries come from 198.51.100.7 and 2001:db8::/64.',
  })
  message!: string

  static from(settings: EgressSettings, caller: Pick<Caller, 'useScope'>): EgressDto {
    const { webhookProxy } = settings
    const isOperator = webhookProxy !== null && caller.useScope('instance:read')
    const [source, addresses] = findAddresses(settings)
    return Object.assign(new EgressDto(), {
      addresses,
      source,
      proxy: webhookProxy && {
        host: isOperator ? webhookProxy.host : null,
        port: isOperator ? webhookProxy.port : null,
      },
      message: createMessage(source, addresses, webhookProxy !== null),
    })
  }
}

/** Behind a proxy, receivers do not see the local address. */
function findAddresses({
  webhookEgressIps,
  webhookProxy,
  webhookSourceAddress,
}: EgressSettings): [EgressSource, string[]] {
  if (webhookEgressIps) return ['configured', webhookEgressIps]
  if (!webhookSourceAddress || webhookProxy) return ['unknown', []]
  const { ipv4, ipv6 } = webhookSourceAddress
  return ['source_address', [ipv4, ipv6].filter((address) => address !== null)]
}

function createMessage(source: EgressSource, addresses: readonly string[], hasProxy: boolean): string {
  const list = new Intl.ListFormat('en').format(addresses)
  switch (source) {
    case 'configured':
      return `Deliveries come from ${list}.`
    case 'source_address':
      return `Deliveries are sent from ${list}. If the service is behind NAT, receivers see another address: ask the operator to set WEBHOOK_EGRESS_IPS.`
    case 'unknown':
      return `${hasProxy ? 'Deliveries come from the address of a proxy, which' : 'Deliveries come from the public address of the service, which'} is not configured. Ask the operator to set WEBHOOK_EGRESS_IPS.`
  }
}
