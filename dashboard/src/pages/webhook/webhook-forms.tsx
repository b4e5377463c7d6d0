/** Changing a webhook, its secret, and deleting it. */
import { etagOf, NotFoundError } from '@link-service/client'
import type { Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/service.js'
import { formatNumber } from '../../app/format.js'
import { say } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { go } from '../../app/router.js'
import { snippetOf } from '../../app/snippets.js'
import { Confirm, Dialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { Secret } from '../tokens/secret.js'
import { EventPicker } from '../webhooks/event-picker.js'
import type { Subscribed } from '../webhooks/event-picker.js'

interface EditProps {
  webhook: Webhook
  resource: Resource<Webhook>
  onClose: () => void
}

export function EditWebhook({ webhook, resource, onClose }: EditProps) {
  // What was there when the form was opened; what others change meanwhile is refused, and not overwritten.
  const [seen] = useState(webhook)
  const [url, setUrl] = useState(seen.url)
  const [description, setDescription] = useState(seen.description ?? '')
  const [events, setEvents] = useState<Subscribed>(seen.events)
  const saving = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    saving.run(async () => {
      const body = {
        ...(url.trim() === seen.url ? {} : { url: url.trim() }),
        ...(events.join() === seen.events.join() ? {} : { events }),
        description: description.trim() || null,
      }
      resource.set(await service.webhooks.update(seen.id, body, { ifMatch: etagOf(seen) }))
      const path = `/v1/webhooks/${seen.id}`
      say('Saved.', snippetOf({ method: 'PATCH', path, body, call: 'webhooks.update', args: [seen.id] }))
      onClose()
    })
  }
  return (
    <Dialog title="Edit the webhook" onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <TextField
          label="Address"
          value={url}
          onInput={setUrl}
          error={fieldError(saving.error, '/url')}
          required
          autofocus
        />
        <TextField label="Description" value={description} onInput={setDescription} />
        <EventPicker events={events} onChange={setEvents} />
        <FormError error={saving.error} shown={['/url']} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={saving.isBusy || events.length === 0}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface RotateProps {
  webhook: Webhook
  onDone: () => void
  onClose: () => void
}

export function RotateSecret({ webhook, onDone, onClose }: RotateProps) {
  const [overlap, setOverlap] = useState('24h')
  const [secret, setSecret] = useState<string | null>(null)
  const rotating = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    rotating.run(async () => {
      const body = { overlap: overlap.trim() }
      const { secret } = await service.webhooks.rotateSecret(webhook.id, body)
      setSecret(secret)
      const path = `/v1/webhooks/${webhook.id}/secret/rotate`
      say(
        'Rotated the secret.',
        snippetOf({ method: 'POST', path, body, call: 'webhooks.rotateSecret', args: [webhook.id] }),
      )
      onDone()
    })
  }
  return (
    <Dialog title="Rotate the signing secret" onClose={onClose}>
      <form class="stack" onSubmit={send}>
        {secret !== null ? (
          <>
            <Secret value={secret} what="The new secret" />
            <div class="row end">
              <button type="button" class="primary" onClick={onClose}>
                I have copied it
              </button>
            </div>
          </>
        ) : (
          <>
            <p>A new secret is made. Until the overlap ends, each delivery is signed with both.</p>
            <TextField
              label="Both sign for"
              hint="Such as 30m, 24h or 7d."
              value={overlap}
              onInput={setOverlap}
              error={fieldError(rotating.error, '/overlap')}
              required
              autofocus
            />
            <FormError error={rotating.error} shown={['/overlap']} />
            <div class="row end">
              <button type="button" onClick={onClose}>
                Cancel
              </button>
              <button class="primary" disabled={rotating.isBusy}>
                Rotate
              </button>
            </div>
          </>
        )}
      </form>
    </Dialog>
  )
}

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const deleting = useAction()
  const run = () =>
    deleting.run(async () => {
      await service.webhooks.delete(webhook.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // It is gone, as was wanted.
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
