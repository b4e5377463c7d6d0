import type { ResultOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { can } from '../../app/session.js'
import { Section } from '../../components/basics.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { Sentence } from '../../components/sentence.js'

/** Tests whether the filter of a webhook includes a recorded event. */
export function TestFilter({ webhookId }: { webhookId: string }) {
  const [eventId, setEventId] = useState('')
  const [result, setResult] = useState<ResultOf<'testWebhookFilter'> | null>(null)
  const testing = useAction()
  if (!can('events:read')) return null
  const change = (text: string) => {
    setEventId(text)
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
      <p class="muted">Says whether the filter includes a recorded event. Nothing is sent.</p>
      <form class="stack narrow-form" onSubmit={test}>
        <TextField
          label="Event ID"
          placeholder="evt_…"
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
