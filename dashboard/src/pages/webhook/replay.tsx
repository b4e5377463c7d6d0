import type { BodyOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { queryOf } from '../../app/router.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { isDifferent, useUnsavedChanges } from '../../app/unsaved-changes.js'
import { Section } from '../../components/basics.js'
import { Field, fieldError, FormError, useAction } from '../../components/form.js'
import { NotAllowed } from '../../components/states.js'
import { boundsOf, isComplete, localTime, RangePicker } from './replay-range.js'
import type { ReplayRange } from './replay-range.js'

type ReplayBody = BodyOf<'replayDeliveries'>

interface ReplayPreview {
  /** The request body of the preview, which the user may have changed since. */
  request: string
  deliveries: number
  note: string | null
}

const kinds = [
  ['failed', 'Failed deliveries'],
  ['all', 'All deliveries'],
  ['events', 'Events never received'],
] as const

/** Starts with the range of the link that opened the form, or with the last day. */
function initialRange(): ReplayRange {
  const since = new Date(queryOf('since'))
  return Number.isNaN(since.getTime())
    ? { age: '1d', from: '', until: '' }
    : { age: 'custom', from: localTime(since), until: '' }
}

/** Previews the number of deliveries before a replay. */
export function Replay({ webhookId }: { webhookId: string }) {
  const [initial, setInitial] = useState(() => ({ range: initialRange(), kind: queryOf('kind') || 'failed' }))
  const [range, setRange] = useState(initial.range)
  const [kind, setKind] = useState(initial.kind)
  const [lastPreview, setLastPreview] = useState<ReplayPreview | null>(null)
  const replaying = useAction()
  useUnsavedChanges(isDifferent({ range, kind }, initial))
  if (!can('webhooks:write')) return <NotAllowed scopes={['webhooks:write']} />
  const bounds = boundsOf(range)
  const body: ReplayBody =
    kind === 'events'
      ? { ...bounds, from: 'events' }
      : { ...bounds, status: kind === 'all' ? 'all' : 'failed' }
  const request = JSON.stringify(body)
  const preview = lastPreview?.request === request ? lastPreview : null
  const loadPreview = (event: Event) => {
    event.preventDefault()
    replaying.run(async () =>
      setLastPreview({ request, ...(await service.webhooks.replay(webhookId, { ...body, dry_run: true })) }),
    )
  }
  const send = () =>
    replaying.run(async () => {
      const { deliveries } = await service.webhooks.replay(webhookId, body)
      const path = `/v1/webhooks/${webhookId}/replay`
      showNotice(
        `Replaying ${plural(deliveries, 'delivery', 'deliveries')}.`,
        snippetOf({ method: 'POST', path, body, call: 'webhooks.replay', args: [webhookId] }),
      )
      setLastPreview(null)
      setInitial({ range, kind })
    })
  return (
    <Section title="Replay deliveries">
      <form class="stack narrow-form" onSubmit={loadPreview}>
        <Field label="Deliveries">
          {(ids) => (
            <select {...ids} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              {kinds.map(([each, text]) => (
                <option key={each} value={each}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <RangePicker
          range={range}
          onChange={setRange}
          sinceError={fieldError(replaying.error, '/since')}
          untilError={fieldError(replaying.error, '/until')}
        />
        <FormError error={replaying.error} shown={range.age === 'custom' ? ['/since', '/until'] : []} />
        {preview && (
          <p class="callout" role="status">
            <b>{plural(preview.deliveries, 'delivery', 'deliveries')}</b> will be sent. {preview.note}
          </p>
        )}
        <div class="row">
          <button disabled={replaying.isBusy || !isComplete(range)}>Preview replay</button>
          <button
            type="button"
            class="primary"
            disabled={replaying.isBusy || !preview || preview.deliveries === 0}
            onClick={send}
          >
            {preview ? `Replay ${plural(preview.deliveries, 'delivery', 'deliveries')}` : 'Replay deliveries'}
          </button>
        </div>
      </form>
    </Section>
  )
}
