/** Creates a link to the portal of a webhook. */
import type { BodyOf, ResultOf, Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { createSnippet } from '../../app/snippets.js'
import { showNotice } from '../../app/notices.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { Time } from '../../components/basics.js'
import { FormDialog } from '../../components/dialog.js'
import { Field, FormError, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'

type PortalAction = NonNullable<BodyOf<'createPortalLink'>['allow']>[number]

const actions: readonly (readonly [PortalAction, string])[] = [
  ['test', 'Send test events'],
  ['replay', 'Redeliver and replay events'],
  ['rotate', 'Rotate the signing secret'],
]
const lifetimes = [
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['24h', '24 hours'],
] as const
const initial = { allow: ['test', 'replay'] as readonly PortalAction[], expiresIn: '1h' }

export function SharePortal({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [allow, setAllow] = useState(initial.allow)
  const [expiresIn, setExpiresIn] = useState<string>(initial.expiresIn)
  const [link, setLink] = useState<ResultOf<'createPortalLink'> | null>(null)
  const creating = useAction()
  const send = () =>
    creating.run(async () => {
      const body = { allow: [...allow], expires_in: expiresIn }
      setLink(await service.webhooks.createPortalLink(webhook.id, body))
      const path = `/v1/webhooks/${webhook.id}/portal`
      showNotice(
        'Created portal link.',
        createSnippet({ method: 'POST', path, body, call: 'webhooks.createPortalLink', args: [webhook.id] }),
      )
    })
  const toggle = (action: PortalAction) =>
    setAllow(allow.includes(action) ? allow.filter((each) => each !== action) : [...allow, action])
  if (link)
    return (
      <SecretDialog title="Portal link" value={link.url} kind="link" onClose={onClose}>
        <p>
          The link works once, in one browser. Access ends <Time at={link.expires_at} />.
        </p>
      </SecretDialog>
    )
  return (
    <FormDialog
      title="Create portal link"
      action="Create link"
      isBusy={creating.isBusy}
      isDisabled={creating.isBusy}
      isChanged={isDifferent({ allow, expiresIn }, initial)}
      onSend={send}
      onClose={onClose}
    >
      <p>Gives the person who runs the receiver access to this webhook only.</p>
      <fieldset>
        <legend>They can</legend>
        <label class="check">
          <input type="checkbox" checked disabled />
          View deliveries and attempts
        </label>
        {actions.map(([action, name]) => (
          <label key={action} class="check">
            <input type="checkbox" checked={allow.includes(action)} onChange={() => toggle(action)} />
            {name}
          </label>
        ))}
      </fieldset>
      <Field label="Valid for">
        {(ids) => (
          <select
            {...ids}
            value={expiresIn}
            onChange={({ currentTarget }) => setExpiresIn(currentTarget.value)}
          >
            {lifetimes.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FormError error={creating.error} />
    </FormDialog>
  )
}
