import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { createSnippet } from '../../app/snippets.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { FormDialog } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'
import { WebhookFields, webhookPointers } from './webhook-fields.js'
import { createBody, emptyWebhook } from './webhook-values.js'

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(emptyWebhook)
  const [created, setCreated] = useState<{ id: string; secret: string | null } | null>(null)
  const creating = useAction()
  const send = () =>
    creating.run(async () => {
      const body = createBody(values)
      const webhook = await service.webhooks.create(body)
      setCreated({ id: webhook.id, secret: webhook.secret })
      showNotice(
        'Created webhook.',
        createSnippet({ method: 'POST', path: '/v1/webhooks', body, call: 'webhooks.create' }),
      )
    })
  if (created)
    return (
      <SecretDialog
        title="Webhook created"
        value={created.secret}
        kind="signing secret"
        onClose={() => {
          // Removes the form from the history, so that Back does not open it again.
          onClose()
          navigate(`/webhooks/${created.id}`)
        }}
      >
        <p>Your receiver verifies the signature of each delivery with the signing secret.</p>
      </SecretDialog>
    )
  return (
    <FormDialog
      title="Create webhook"
      action="Create webhook"
      isBusy={creating.isBusy}
      isChanged={isDifferent(values, emptyWebhook)}
      isDisabled={creating.isBusy || values.url.trim() === '' || values.events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <WebhookFields values={values} onChange={setValues} error={creating.error} />
      <FormError error={creating.error} shown={webhookPointers} />
    </FormDialog>
  )
}
