import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { CopyButton, Section } from '../../components/basics.js'

/** The IP addresses that a firewall in front of the receiver must allow. */
export function SourceAddresses() {
  const { data } = useResource('egress', (signal) => service.instance.egress({ signal }))
  // Only the operator can set the addresses.
  if (data === null || (data.addresses.length === 0 && !can('instance:read'))) return null
  return (
    <Section title="Source addresses">
      <p class="muted">{data.message}</p>
      {data.addresses.length > 0 && <CopyButton text={data.addresses.join(', ')} label="Copy addresses" />}
    </Section>
  )
}
