import type { ResultOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { Section } from '../../components/basics.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { Sentence } from '../../components/sentence.js'

/** Tests whether the filter of a webhook includes a recorded event. */
export function TestFilter({ webhookId }: { webhookId: string }) {
  const [typed, setTyped] = useState<string | null>(null)
  const newest = useResource(can('events:read') ? 'newest event' : null, (signal) =>
    service.events.list({ limit: 1 }, { signal }).page(),
  )
  const eventId = typed ?? newest.data?.data[0]?.id ?? ''
  const [result, setResult] = useState<ResultOf<'testWebhookFilter'> | null>(null)
  const testing = useAction()
  if (!can('events:read')) return null
  const change = (text: string) => {
    setTyped(text)
    setResult(null)
    testing.clear()
  }
  const test = (event: Event) => {
    event.preventDefault()
    testing.run(async () =>
      setResult(await service.webhooks.testFilter(webhookId, { event_id: eventId.trim() })),
    )
  }
  return (
    <Section title="Test filter">
      <p class="muted">Checks whether a past event passes the filter. Nothing is sent.</p>
      <form class="stack narrow-form" onSubmit={test}>
        <TextField
          label="Event ID"
          placeholder="evt_…"
          hint="The newest event at first. The page of an event shows its ID."
          value={eventId}
          onInput={change}
          error={fieldError(testing.error, '/event_id')}
        />
        <FormError error={testing.error} shown={['/event_id']} />
        <div class="row">
          <button disabled={testing.isBusy || eventId.trim() === ''}>Test filter</button>
        </div>
      </form>
      {result && (
        <p class={`callout ${result.matches ? 'good' : 'warn'}`} role="status">
          <Sentence text={result.message} />
        </p>
      )}
    </Section>
  )
}
