/** Dialogs to add, edit and remove a target of notices. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { createSnippet } from '../../app/snippets.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { Confirm, FormDialog } from '../../components/dialog.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { NoticeEventPicker, suggestedEvents } from './notice-events.js'
import type { NoticeEvent, NoticeTarget } from './notice-events.js'

type TargetType = 'slack' | 'discord' | 'email'

const types: Readonly<Record<TargetType, { name: string; label: string; example: string; hint: string }>> = {
  slack: {
    name: 'Slack',
    label: 'Webhook URL',
    example: 'https://hooks.slack.com/services/…',
    hint: 'In Slack, add the app “Incoming Webhooks” to a channel, then copy the URL.',
  },
  discord: {
    name: 'Discord',
    label: 'Webhook URL',
    example: 'https://discord.com/api/webhooks/…',
    hint: 'In Discord, open Edit channel › Integrations › Webhooks, then copy the URL.',
  },
  email: {
    name: 'Email',
    label: 'Email address',
    example: 'oncall@example.com',
    hint: 'One address. Use a mailing list for several people.',
  },
}

export function getTargetTypeName(type: string): string {
  return type in types ? types[type as TargetType].name : type
}

interface TargetDialogProps {
  onDone: () => void
  onClose: () => void
}

interface Values {
  type: TargetType
  address: string
  events: NoticeEvent[]
}

export function AddTarget({ onDone, onClose }: TargetDialogProps) {
  const [initial] = useState<Values>(() => ({ type: 'slack', address: '', events: suggestedEvents() }))
  const [values, setValues] = useState(initial)
  const adding = useAction()
  const set = (change: Partial<Values>) => setValues({ ...values, ...change })
  const { type, address, events } = values
  const send = () =>
    adding.run(async () => {
      const body = { type, address: address.trim(), events }
      const target = await service.notices.create(body)
      showNotice(
        `Added ${getTargetTypeName(target.type)} ${target.address}.`,
        createSnippet({ method: 'POST', path: '/v1/workspace/notices', body, call: 'notices.create' }),
      )
      onDone()
      onClose()
    })
  return (
    <FormDialog
      title="Add target"
      action="Add target"
      isBusy={adding.isBusy}
      isChanged={isDifferent(values, initial)}
      isDisabled={adding.isBusy || address.trim() === '' || events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <Field label="Send to" error={fieldError(adding.error, '/type')}>
        {(ids) => (
          <select
            {...ids}
            data-first=""
            value={type}
            onChange={({ currentTarget }) => set({ type: currentTarget.value as TargetType })}
          >
            {Object.entries(types).map(([each, { name }]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={types[type].label}
        hint={`${types[type].hint} It is stored encrypted and shown masked.`}
        value={address}
        onInput={(text) => set({ address: text })}
        error={fieldError(adding.error, '/address')}
        placeholder={types[type].example}
        autocomplete="off"
        required
      />
      <NoticeEventPicker
        chosen={events}
        onChange={(chosen) => set({ events: chosen })}
        error={fieldError(adding.error, '/events')}
      />
      <FormError error={adding.error} shown={['/type', '/address', '/events']} />
    </FormDialog>
  )
}

export function EditTarget({ target, onDone, onClose }: TargetDialogProps & { target: NoticeTarget }) {
  const [events, setEvents] = useState(target.events)
  const saving = useAction()
  const send = () =>
    saving.run(async () => {
      const body = { events }
      await service.notices.update(target.id, body)
      const path = `/v1/workspace/notices/${target.id}`
      showNotice(
        'Saved target.',
        createSnippet({ method: 'PATCH', path, body, call: 'notices.update', args: [target.id] }),
      )
      onDone()
      onClose()
    })
  return (
    <FormDialog
      title={`Edit ${getTargetTypeName(target.type)} ${target.address}`}
      action="Save changes"
      isChanged={isDifferent(events, target.events)}
      isDisabled={saving.isBusy || events.length === 0}
      onSend={send}
      onClose={onClose}
    >
      <NoticeEventPicker chosen={events} onChange={setEvents} error={fieldError(saving.error, '/events')} />
      <p class="hint">To change the address, add a target with the new one, then remove this one.</p>
      <FormError error={saving.error} shown={['/events']} />
    </FormDialog>
  )
}

export function RemoveTarget({ target, onDone, onClose }: TargetDialogProps & { target: NoticeTarget }) {
  const removing = useAction()
  const remove = () =>
    removing.run(async () => {
      await service.notices.delete(target.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // Already removed.
      })
      const path = `/v1/workspace/notices/${target.id}`
      showNotice(
        'Removed target.',
        createSnippet({ method: 'DELETE', path, call: 'notices.delete', args: [target.id] }),
      )
      onDone()
      onClose()
    })
  return (
    <Confirm
      title="Remove target?"
      action="Remove target"
      isBusy={removing.isBusy}
      error={<FormError error={removing.error} />}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {getTargetTypeName(target.type)} <code>{target.address}</code> receives no more notices. Unsent
        notices are dropped.
      </p>
    </Confirm>
  )
}
