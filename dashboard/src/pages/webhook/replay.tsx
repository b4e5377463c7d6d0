import type { BodyOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { Section } from '../../components/basics.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { NotAllowed } from '../../components/states.js'

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

/** Previews the number of deliveries before a replay. */
export function Replay({ webhookId }: { webhookId: string }) {
  const [since, setSince] = useState('1d')
  const [kind, setKind] = useState('failed')
  const [lastPreview, setLastPreview] = useState<ReplayPreview | null>(null)
  const replaying = useAction()
  if (!can('webhooks:write')) return <NotAllowed scopes={['webhooks:write']} />
  const body: ReplayBody =
    kind === 'events'
      ? { since: since.trim(), from: 'events' }
      : { since: since.trim(), status: kind === 'all' ? 'all' : 'failed' }
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
    })
  return (
    <Section title="Replay deliveries">
      <form class="stack" onSubmit={loadPreview}>
        <div class="columns">
          <TextField
            label="Since"
            hint="A duration such as 6h or 1d, or a timestamp."
            value={since}
            error={fieldError(replaying.error, '/since')}
            onInput={setSince}
            required
          />
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
        </div>
        <FormError error={replaying.error} shown={['/since']} />
        {preview && (
          <p class="callout" role="status">
            <b>{plural(preview.deliveries, 'delivery', 'deliveries')}</b> will be sent. {preview.note}
          </p>
        )}
        <div class="row">
          <button disabled={replaying.isBusy || since.trim() === ''}>Preview replay</button>
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
