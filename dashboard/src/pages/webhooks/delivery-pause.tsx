import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { Time } from '../../components/basics.js'

type DeliveryState = ResultOf<'getDeliveryState'>

export function useDeliveryState(): Resource<DeliveryState> {
  return useResource(
    can('webhooks:read') ? 'delivery state' : null,
    (signal) => service.instance.deliveries({ signal }),
    { everyMs: 30_000 },
  )
}

/** Says that the operator paused all deliveries. Renders nothing otherwise. */
export function DeliveryPause({ from: { data } }: { from: Resource<DeliveryState> }) {
  if (data?.status !== 'paused' || data.paused_at === null) return null
  return (
    <div class="callout warn" role="status">
      The operator of this service paused all deliveries <Time at={data.paused_at} />. Events are recorded,
      and sent when deliveries resume.{data.reason !== null && <div>Reason: {data.reason}</div>}
    </div>
  )
}
