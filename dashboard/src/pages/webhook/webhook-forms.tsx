/** Changing a webhook, its secret, and deleting it. */
import { etagOf, NotFoundError } from '@link-service/client'
import type { Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { say } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { go } from '../../app/router.js'
import { snippetOf } from '../../app/snippets.js'
import { Confirm, FormDialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { RotateDialog } from '../../components/secret-dialog.js'
import { EventPicker } from '../webhooks/event-picker.js'
import type { Subscribed } from '../webhooks/event-picker.js'

interface EditWebhookProps {
  webhook: Webhook
  resource: Resource<Webhook>
  onClose: () => void
}

export function EditWebhook({ webhook, resource, onClose }: EditWebhookProps) {
  // The webhook when the form was opened. If others change it meanwhile, saving is refused and overwrites nothing.
  const [seen] = useState(webhook)
  const [url, setUrl] = useState(seen.url)
  const [description, setDescription] = useState(seen.description ?? '')
  const [events, setEvents] = useState<Subscribed>(seen.events)
  const saving = useAction()
  const send = () =>
    saving.run(async () => {
      const body = {
        ...(url.trim() === seen.url ? {} : { url: url.trim() }),
        ...(events.join() === seen.events.join() ? {} : { events }),
        ...(description.trim() === (seen.description ?? '')
          ? {}
          : { description: description.trim() || null }),
      }
      resource.set(await service.webhooks.update(seen.id, body, { ifMatch: etagOf(seen) }))
      const path = `/v1/webhooks/${seen.id}`
      say('Saved.', snippetOf({ method: 'PATCH', path, body, call: 'webhooks.update', args: [seen.id] }))
      onClose()
    })
  return (
    <FormDialog
      title="Edit the webhook"
      action="Save"
      isDisabled={saving.isBusy || events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <TextField
        label="Address"
        value={url}
        onInput={setUrl}
        error={fieldError(saving.error, '/url')}
        required
        isFirst
      />
      <TextField label="Description" value={description} onInput={setDescription} />
      <EventPicker events={events} onChange={setEvents} />
      <FormError error={saving.error} shown={['/url']} />
    </FormDialog>
  )
}

interface RotateWebhookProps {
  webhook: Webhook
  onDone: () => void
  onClose: () => void
}

export function RotateSecret({ webhook, onDone, onClose }: RotateWebhookProps) {
  const rotate = async (body: { overlap: string }) => {
    const { secret } = await service.webhooks.rotateSecret(webhook.id, body)
    const path = `/v1/webhooks/${webhook.id}/secret/rotate`
    say(
      'Rotated the secret.',
      snippetOf({ method: 'POST', path, body, call: 'webhooks.rotateSecret', args: [webhook.id] }),
    )
    onDone()
    return secret
  }
  return (
    <RotateDialog
      title="Rotate the signing secret"
      explanation="A new secret is made. Until the overlap ends, each delivery is signed with both."
      label="Both sign for"
      what="The new secret"
      afterwards="Until the overlap ends, a receiver that knows either of them accepts."
      rotate={rotate}
      onClose={onClose}
    />
  )
}

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const deleting = useAction()
  const run = () =>
    deleting.run(async () => {
      await service.webhooks.delete(webhook.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // Somebody else has deleted it already.
      })
      const path = `/v1/webhooks/${webhook.id}`
      say(
        'Deleted the webhook.',
        snippetOf({ method: 'DELETE', path, call: 'webhooks.delete', args: [webhook.id] }),
      )
      go('/webhooks')
    })
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete for ever"
      isBusy={deleting.isBusy}
      error={<FormError error={deleting.error} />}
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Nothing more is sent, also not the {formatNumber(webhook.pending + webhook.held)} that wait. To stop
        it for a while, pause it instead.
      </p>
    </Confirm>
  )
}
