import type { Webhook } from '@link-service/client'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { A, Badge, Time } from '../../components/basics.js'
import { Empty, Loaded } from '../../components/states.js'

const maxWebhooks = 100

function isFailing({ status, failing_since }: Webhook): boolean {
  return status === 'disabled' || failing_since !== null
}

export function FailingWebhooks() {
  const webhooks = useResource(
    'overview webhooks',
    (signal) => service.webhooks.list({ limit: maxWebhooks }, { signal }).page(),
    { everyMs: 30_000 },
  )
  return (
    <Loaded from={webhooks}>
      {({ data }) => {
        const failing = data.filter(isFailing)
        if (data.length === 0)
          return (
            <Empty title="No webhooks yet">
              <A to="/webhooks?new=1">Create a webhook</A> to be notified of every link and click.
            </Empty>
          )
        if (failing.length === 0) return <Empty title="All webhooks are healthy" />
        return (
          <ul class="tree root">
            {failing.map(({ id, url, status, failing_since, pending, held }) => (
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
                  <span>{formatNumber(pending + held)} undelivered</span>
                </div>
              </li>
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}
