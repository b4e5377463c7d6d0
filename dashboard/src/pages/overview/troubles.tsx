import type { Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { A, Badge, Time } from '../../components/basics.js'
import { Empty, Loaded } from '../../components/states.js'

const mostLooked = 100

function isInTrouble({ status, failing_since }: Webhook): boolean {
  return status === 'disabled' || failing_since !== null
}

export function Troubles() {
  const webhooks = useResource(
    'overview webhooks',
    (signal) => service.webhooks.list({ limit: mostLooked }, { signal }).page(),
    { everyMs: 30_000 },
  )
  return (
    <Loaded from={webhooks}>
      {({ data }) => {
        const troubled = data.filter(isInTrouble)
        if (data.length === 0)
          return (
            <Empty title="No webhooks yet">
              <A to="/webhooks?new=1">Add one</A>, and your program hears of every link and click.
            </Empty>
          )
        if (troubled.length === 0) return <Empty title="All webhooks are well" />
        return (
          <ul class="tree root">
            {troubled.map(({ id, url, status, failing_since, pending, held }) => (
              <li key={id}>
                <A to={`/webhooks/${id}`} class="break">
                  {url}
                </A>
                <div class="facts-line small-text muted">
                  <Badge tone="bad">{status === 'disabled' ? 'disabled' : 'failing'}</Badge>
                  {failing_since && (
                    <span>
                      since <Time at={failing_since} />
                    </span>
                  )}
                  <span>{formatNumber(pending + held)} waiting</span>
                </div>
              </li>
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}
