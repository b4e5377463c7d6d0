import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { snippetOf } from '../../app/snippets.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { FormDialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'
import { EventPicker } from './event-picker.js'
import type { Subscribed } from './event-picker.js'

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<Subscribed>(['*'])
  const [created, setCreated] = useState<{ id: string; secret: string | null } | null>(null)
  const creating = useAction()
  const send = () =>
    creating.run(async () => {
      const body = { url: url.trim(), events, description: description.trim() || null }
      const webhook = await service.webhooks.create(body)
      setCreated({ id: webhook.id, secret: webhook.secret })
      showNotice(
        'Created webhook.',
        snippetOf({ method: 'POST', path: '/v1/webhooks', body, call: 'webhooks.create' }),
      )
    })
  if (created)
    return (
      <SecretDialog
        title="Webhook created"
        value={created.secret}
        kind="signing secret"
        onClose={() => navigate(`/webhooks/${created.id}`)}
      >
        <p>Your receiver verifies the signature of each delivery with the signing secret.</p>
      </SecretDialog>
    )
  return (
    <FormDialog
      title="Create webhook"
      action="Create webhook"
      isBusy={creating.isBusy}
      isChanged={isDifferent([url, description, ...events], ['', '', '*'])}
      isDisabled={creating.isBusy || url.trim() === '' || events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <TextField
        label="Endpoint URL"
        value={url}
        onInput={setUrl}
        error={fieldError(creating.error, '/url')}
        placeholder="https://example.com/webhooks"
        required
        isFirst
      />
      <TextField
        label="Description"
        hint="The name of the webhook in the dashboard."
        value={description}
        onInput={setDescription}
        error={fieldError(creating.error, '/description')}
      />
      <EventPicker events={events} onChange={setEvents} />
      <FormError error={creating.error} shown={['/url', '/description']} />
    </FormDialog>
  )
}
