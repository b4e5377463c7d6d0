import type { BodyOf, ResultOf, Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { canUseWebhook } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { CopyButton, Section } from '../../components/basics.js'
import { Field, FormError, useAction } from '../../components/form.js'
import { CodeBox } from '../../components/json.js'
import { NotAllowed } from '../../components/states.js'
import { useEventTypes } from '../webhooks/event-picker.js'
import { AttemptView } from './attempt.js'

type EventName = NonNullable<BodyOf<'sendTestEvent'>['event']>

/** On a phone, the result is below the window. Declared here, so that it runs once for each result. */
const showOnPage = (result: HTMLElement | null) => result?.scrollIntoView({ block: 'nearest' })

/** Sends a test event immediately and shows the request and response. Queued deliveries are not affected. */
export function TestSend({ webhook }: { webhook: Webhook }) {
  const types = useEventTypes()
  const [event, setEvent] = useState<EventName>('webhook.test')
  const [result, setResult] = useState<ResultOf<'sendTestEvent'> | null>(null)
  const sending = useAction()
  if (!canUseWebhook('test')) return <NotAllowed scopes={['webhooks:write']} />
  const send = () =>
    sending.run(async () => {
      setResult(null)
      const body = { event }
      setResult(await service.webhooks.test(webhook.id, body))
      const path = `/v1/webhooks/${webhook.id}/test`
      showNotice(
        'Sent test event.',
        createSnippet({ method: 'POST', path, body, call: 'webhooks.test', args: [webhook.id] }),
      )
    })
  const names = types.data?.map(({ name }) => name) ?? [event]
  const example = types.data?.find(({ name }) => name === event)?.example
  return (
    <Section title="Send test event" {...(result ? {} : { class: 'medium' })}>
      <p class="muted">
        Sends one {webhook.format === 'standard' ? 'signed request' : 'message'} immediately. Queued
        deliveries are not affected.
      </p>
      <div class="test-form">
        <Field label="Event type">
          {(ids) => (
            <select {...ids} value={event} onChange={({ currentTarget }) => setEvent(currentTarget.value)}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" class="primary" disabled={sending.isBusy} onClick={send}>
          {sending.isBusy ? 'Sending…' : 'Send test'}
        </button>
      </div>
      <FormError error={sending.error} />
      {result ? (
        <>
          <p ref={showOnPage} class={`callout result ${result.delivered ? 'good' : 'bad'}`} role="status">
            {result.verdict}
          </p>
          <AttemptView attempt={result.attempt} url={webhook.url} body={result.request.body}>
            <div class="row">
              <CopyButton text={result.request.curl} label="Copy request as curl" />
            </div>
          </AttemptView>
        </>
      ) : (
        example && (
          <div class="stack">
            <div class="card-head">
              <h3>Example request body</h3>
              <CopyButton small text={JSON.stringify(example, null, 2)} />
            </div>
            <CodeBox text={JSON.stringify(example)} />
          </div>
        )
      )}
    </Section>
  )
}
