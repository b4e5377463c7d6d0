/** Dialogs to edit a webhook, rotate its secret and delete it. */
import { etagOf, NotFoundError, PreconditionFailedError } from '@link-service/client'
import type { Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { navigate } from '../../app/router.js'
import { createSnippet } from '../../app/snippets.js'
import { changedValues, isDifferent } from '../../app/unsaved-changes.js'
import { Confirm, FormDialog } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { RotateDialog } from '../../components/secret-dialog.js'
import { WebhookFields, webhookPointers } from '../webhooks/webhook-fields.js'
import { getWebhookChanges, toWebhookValues } from '../webhooks/webhook-values.js'

interface EditWebhookProps {
  webhook: Webhook
  resource: Resource<Webhook>
  onClose: () => void
}

export function EditWebhook({ webhook, resource, onClose }: EditWebhookProps) {
  // The webhook whose values the form started with. Its ETag prevents overwriting a later change.
  const [opened, setOpened] = useState(webhook)
  const initial = toWebhookValues(opened)
  const [values, setValues] = useState(initial)
  const saving = useAction()
  const save = async (version: Webhook): Promise<void> => {
    const { id } = version
    const body = getWebhookChanges(values, initial)
    try {
      resource.set(await service.webhooks.update(id, body, { ifMatch: etagOf(version) }))
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
      const newest = await service.webhooks.get(id)
      const saved = toWebhookValues(newest)
      // No field of the form has changed, for example because the service disabled the webhook. Changes of header values
      // cannot be detected, because the service masks the values.
      if (!body.headers && !isDifferent(saved, initial)) return save(newest)
      setOpened(newest)
      // Saving an edited list of headers would remove those that were added.
      const { headers } = changedValues(saved, initial)
      setValues((current) => ({
        ...saved,
        ...changedValues(current, initial),
        ...(headers && { headers }),
      }))
      throw new Error(
        'This webhook has changed since you opened the form. Check the values and save again.',
        { cause: error },
      )
    }
    showNotice(
      'Saved webhook.',
      createSnippet({
        method: 'PATCH',
        path: `/v1/webhooks/${id}`,
        body,
        call: 'webhooks.update',
        args: [id],
      }),
    )
    onClose()
  }
  const send = () => saving.run(() => save(opened))
  return (
    <FormDialog
      title="Edit webhook"
      isChanged={isDifferent(values, initial)}
      action="Save changes"
      isDisabled={saving.isBusy || values.events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <WebhookFields key={etagOf(opened)} values={values} onChange={setValues} error={saving.error} />
      <FormError error={saving.error} shown={webhookPointers} />
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
    showNotice(
      'Rotated signing secret.',
      createSnippet({ method: 'POST', path, body, call: 'webhooks.rotateSecret', args: [webhook.id] }),
    )
    onDone()
    return secret
  }
  return (
    <RotateDialog
      title="Rotate signing secret"
      action="Rotate secret"
      explanation="This creates a new signing secret. Deliveries are signed with both secrets until the overlap ends."
      label="Old secret signs for"
      kind="signing secret"
      afterwards="Replace the old secret in your receiver before the overlap ends."
      rotate={rotate}
      onClose={onClose}
    />
  )
}

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const deleting = useAction()
  const deleteWebhook = () =>
    deleting.run(async () => {
      await service.webhooks.delete(webhook.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // Already deleted.
      })
      const path = `/v1/webhooks/${webhook.id}`
      showNotice(
        'Deleted webhook.',
        createSnippet({ method: 'DELETE', path, call: 'webhooks.delete', args: [webhook.id] }),
      )
      navigate('/webhooks')
    })
  return (
    <Confirm
      title="Delete webhook?"
      action="Delete webhook"
      typed={new URL(webhook.url).host}
      isBusy={deleting.isBusy}
      error={<FormError error={deleting.error} />}
      onConfirm={deleteWebhook}
      onClose={onClose}
    >
      <p>
        {formatNumber(webhook.pending + webhook.held)} pending and held deliveries will not be sent. This
        cannot be undone. To stop deliveries temporarily, pause the webhook instead.
      </p>
    </Confirm>
  )
}
