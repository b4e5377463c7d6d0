import type { BodyOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { say } from '../../app/notices.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { Section } from '../../components/basics.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { NotAllowed } from '../../components/states.js'

type ReplayBody = BodyOf<'replayDeliveries'>

interface Count {
  /** The settings that were counted for, because they can be changed before the answer comes. */
  asked: string
  deliveries: number
  note: string | null
}

const kinds = [
  ['failed', 'What has failed'],
  ['all', 'All that was sent'],
  ['events', 'All events, also what it never had'],
] as const

/** Shows how many deliveries would be sent, and then enables the button that sends them. */
export function Replay({ webhookId }: { webhookId: string }) {
  const [since, setSince] = useState('1d')
  const [kind, setKind] = useState('failed')
  const [counted, setCounted] = useState<Count | null>(null)
  const replaying = useAction()
  if (!can('webhooks:write')) return <NotAllowed scopes={['webhooks:write']} />
  const body: ReplayBody =
    kind === 'events'
      ? { since: since.trim(), from: 'events' }
      : { since: since.trim(), status: kind === 'all' ? 'all' : 'failed' }
  const asked = JSON.stringify(body)
  const found = counted?.asked === asked ? counted : null
  const count = (event: Event) => {
    event.preventDefault()
    replaying.run(async () =>
      setCounted({ asked, ...(await service.webhooks.replay(webhookId, { ...body, dry_run: true })) }),
    )
  }
  const send = () =>
    replaying.run(async () => {
      const { deliveries } = await service.webhooks.replay(webhookId, body)
      const path = `/v1/webhooks/${webhookId}/replay`
      say(
        `Sending ${plural(deliveries, 'delivery', 'deliveries')} again.`,
        snippetOf({ method: 'POST', path, body, call: 'webhooks.replay', args: [webhookId] }),
      )
      setCounted(null)
    })
  return (
    <Section title="Send again">
      <form class="stack" onSubmit={count}>
        <div class="columns">
          <TextField
            label="Since"
            hint="A duration such as 6h or 1d, or a time."
            value={since}
            error={fieldError(replaying.error, '/since')}
            onInput={setSince}
            required
          />
          <Field label="Which">
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
        {found && (
          <p class="callout" role="status">
            <b>{plural(found.deliveries, 'delivery', 'deliveries')}</b> would be sent. {found.note}
          </p>
        )}
        <div class="row">
          <button disabled={replaying.isBusy || since.trim() === ''}>Show how many</button>
          <button
            type="button"
            class="primary"
            disabled={replaying.isBusy || !found || found.deliveries === 0}
            onClick={send}
          >
            {found ? `Send ${plural(found.deliveries, 'delivery', 'deliveries')}` : 'Send'}
          </button>
        </div>
      </form>
    </Section>
  )
}
