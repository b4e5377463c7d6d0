import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { go } from '../../app/router.js'
import { snippetOf } from '../../app/snippets.js'
import { FormDialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'
import { EventPicker } from './event-picker.js'
import type { Subscribed } from './event-picker.js'

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<Subscribed>(['*'])
  const [made, setMade] = useState<{ id: string; secret: string | null } | null>(null)
  const making = useAction()
  const send = () =>
    making.run(async () => {
      const body = { url: url.trim(), events, description: description.trim() || null }
      const webhook = await service.webhooks.create(body)
      setMade({ id: webhook.id, secret: webhook.secret })
      say(
        'Made the webhook.',
        snippetOf({ method: 'POST', path: '/v1/webhooks', body, call: 'webhooks.create' }),
      )
    })
  if (made)
    return (
      <SecretDialog
        title="Your new webhook"
        value={made.secret}
        what="The signing secret"
        onClose={() => go(`/webhooks/${made.id}`)}
      >
        <p>Your program checks the signature of each delivery with it.</p>
      </SecretDialog>
    )
  return (
    <FormDialog
      title="New webhook"
      action="Make the webhook"
      isDisabled={making.isBusy || url.trim() === '' || events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <TextField
        label="Address"
        value={url}
        onInput={setUrl}
        error={fieldError(making.error, '/url')}
        placeholder="https://example.com/webhooks"
        required
        isFirst
      />
      <TextField
        label="Description"
        value={description}
        onInput={setDescription}
        error={fieldError(making.error, '/description')}
      />
      <EventPicker events={events} onChange={setEvents} />
      <FormError error={making.error} shown={['/url', '/description']} />
    </FormDialog>
  )
}
