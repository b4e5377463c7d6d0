import type { BodyOf, Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { toLocalTime } from '../../app/local-time.js'
import { showNotice } from '../../app/notices.js'
import { useResource } from '../../app/resource.js'
import { getQueryParameter } from '../../app/router.js'
import { isPortal } from '../../app/base.js'
import { canUseWebhook } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { isDifferent, useUnsavedChanges } from '../../app/unsaved-changes.js'
import { Section } from '../../components/basics.js'
import { fieldError, FormError, useAction } from '../../components/form.js'
import { NotAllowed } from '../../components/states.js'
import { getReplayBounds, isComplete, RangePicker } from './replay-range.js'
import type { ReplayRange } from './replay-range.js'

type ReplayBody = BodyOf<'replayDeliveries'>

const kinds = [
  ['failed', 'Failed deliveries', 'All attempts failed.'],
  ['all', 'All deliveries', 'All except those that are still pending.'],
  ['events', 'Events without a delivery', 'Such as events that are older than the webhook.'],
] as const

/** In the portal, only deliveries of the webhook can be replayed. */
const offeredKinds = isPortal ? kinds.filter(([kind]) => kind !== 'events') : kinds

/** Starts with the range of the link that opened the form, or with the last day. */
function initialRange(): ReplayRange {
  const since = new Date(getQueryParameter('since'))
  return Number.isNaN(since.getTime())
    ? { age: '1d', from: '', until: '' }
    : { age: 'custom', from: toLocalTime(since), until: '' }
}

/** Shows the number of deliveries before a replay. */
export function Replay({ webhook }: { webhook: Webhook }) {
  const webhookId = webhook.id
  const [initial, setInitial] = useState(() => ({
    range: initialRange(),
    kind: getQueryParameter('kind') || 'failed',
  }))
  const [range, setRange] = useState(initial.range)
  const [kind, setKind] = useState(initial.kind)
  const [ignoresFilter, setIgnoresFilter] = useState(false)
  const replaying = useAction()
  useUnsavedChanges(isDifferent({ range, kind }, initial))
  const bounds = getReplayBounds(range)
  const body: ReplayBody = {
    ...bounds,
    ...(kind === 'events' ? { from: 'events' } : { status: kind === 'all' ? 'all' : 'failed' }),
    ...(ignoresFilter ? { ignore_filter: true } : {}),
  }
  const canCount = canUseWebhook('replay') && isComplete(range)
  const preview = useResource(
    canCount ? `replay preview ${webhookId} ${JSON.stringify(body)}` : null,
    (signal) => service.webhooks.replay(webhookId, { ...body, dry_run: true }, { signal }),
  )
  if (!canUseWebhook('replay')) return <NotAllowed scopes={['webhooks:write']} />
  const counted = preview.isLoading || preview.error !== null ? null : preview.data
  const error = replaying.error ?? preview.error
  const send = (event: Event) => {
    event.preventDefault()
    replaying.run(async () => {
      const { deliveries } = await service.webhooks.replay(webhookId, body)
      const path = `/v1/webhooks/${webhookId}/replay`
      showNotice(
        `Replaying ${plural(deliveries, 'delivery', 'deliveries')}.`,
        createSnippet({ method: 'POST', path, body, call: 'webhooks.replay', args: [webhookId] }),
      )
      setInitial({ range, kind })
      preview.reload()
    })
  }
  return (
    <Section title="Replay" class="medium">
      <p class="muted">
        Deliveries keep their ID. Your endpoint should ignore IDs that it has already processed.
      </p>
      <form class="stack" onSubmit={send}>
        <fieldset>
          <legend>What to send</legend>
          {offeredKinds.map(([each, text, hint]) => (
            <label key={each} class="check">
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              <span>
                {text} <span class="hint block">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <RangePicker
          range={range}
          onChange={setRange}
          sinceError={fieldError(error, '/since')}
          untilError={fieldError(error, '/until')}
        />
        {webhook.filter && !isPortal && (
          <label class="check">
            <input
              type="checkbox"
              checked={ignoresFilter}
              onChange={(event) => setIgnoresFilter(event.currentTarget.checked)}
            />
            Ignore the filter of the webhook
          </label>
        )}
        <FormError error={error} shown={range.age === 'custom' ? ['/since', '/until'] : []} />
        <p class="muted" role="status">
          {counted
            ? `${
                counted.deliveries === 0
                  ? 'No deliveries to replay in this time range.'
                  : `${plural(counted.deliveries, 'delivery', 'deliveries')} will be sent.`
              } ${counted.note ?? ''}`
            : preview.isLoading && 'Counting…'}
        </p>
        <div class="row">
          <button class="primary" disabled={replaying.isBusy || !counted || counted.deliveries === 0}>
            {counted && counted.deliveries > 0
              ? `Replay ${plural(counted.deliveries, 'delivery', 'deliveries')}`
              : 'Replay deliveries'}
          </button>
        </div>
      </form>
    </Section>
  )
}
