import { useState } from 'preact/hooks'
import type { BodyOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { now } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { me } from '../../app/session-state.js'
import { createSnippet } from '../../app/snippets.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { FormDialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'
import { ExpiryField, getExpiryDuration, suggestedExpiry } from './expiry.js'
import { RestrictionFields, restrictionPointers } from './restriction-fields.js'
import { noRestrictions, toRestrictions } from './restriction-values.js'
import { ScopePicker } from './scope-picker.js'
import type { GrantableScope, Preset } from './scope-picker.js'

type CreateTokenBody = BodyOf<'createToken'>

/** Offers the scopes of the current token, because a token cannot grant other scopes. */
export function CreateToken({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const grantable = (me.value?.scopes ?? []).filter(
    (scope): scope is GrantableScope => scope !== 'instance:read',
  )
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<GrantableScope>>(new Set())
  const [preset, setPreset] = useState<Preset | null>(null)
  const [restrictions, setRestrictions] = useState(noRestrictions)
  const [isRestricting, setRestricting] = useState(false)
  const [suggested] = useState(suggestedExpiry)
  const [expiry, setExpiry] = useState(suggested)
  const [secret, setSecret] = useState<{ value: string; announce: () => void } | null>(null)
  const creating = useAction()
  const send = () =>
    creating.run(async () => {
      const body: CreateTokenBody = {
        name: name.trim(),
        scopes: grantable.filter((scope) => scopes.has(scope)),
      }
      const duration = getExpiryDuration(expiry, Date.now())
      if (duration) body.expires_in = duration
      const restricted = toRestrictions(restrictions)
      if (restricted) body.restrictions = restricted
      const created = await service.tokens.create(body)
      const announce = () =>
        showNotice(
          `Created token “${created.name}”.`,
          createSnippet({ method: 'POST', path: '/v1/auth/token', body, call: 'tokens.create' }),
        )
      setSecret({ value: created.token, announce })
      onCreated()
    })
  const pick = (picked: ReadonlySet<GrantableScope>, chosen: Preset | null) => {
    setScopes(picked)
    setPreset(chosen)
    if (chosen?.requires) setRestricting(true)
  }
  const isChanged =
    name !== '' ||
    scopes.size > 0 ||
    isDifferent(expiry, suggested) ||
    isDifferent(restrictions, noRestrictions)
  const isComplete =
    name.trim() !== '' &&
    scopes.size > 0 &&
    getExpiryDuration(expiry, now.value) !== null &&
    (preset?.requires === undefined || restrictions[preset.requires].length > 0)
  if (secret) {
    // The backdrop of the dialog would cover the notice.
    const close = () => {
      secret.announce()
      onClose()
    }
    return <SecretDialog title="Token created" value={secret.value} kind="token" onClose={close} />
  }
  return (
    <FormDialog
      title="Create token"
      action="Create token"
      isDisabled={creating.isBusy || !isComplete}
      isBusy={creating.isBusy}
      isChanged={isChanged}
      onSend={send}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The program that will use this token."
        value={name}
        onInput={setName}
        error={fieldError(creating.error, '/name')}
        placeholder="newsletter"
        required
        isFirst
      />
      <ExpiryField value={expiry} error={fieldError(creating.error, '/expires_in')} onPick={setExpiry} />
      <ScopePicker grantable={grantable} chosen={scopes} preset={preset} onPick={pick} />
      <RestrictionFields
        values={restrictions}
        onChange={setRestrictions}
        error={creating.error}
        required={preset?.requires}
        isOpen={isRestricting}
        onToggle={setRestricting}
      />
      <FormError error={creating.error} shown={['/name', '/expires_in', ...restrictionPointers]} />
    </FormDialog>
  )
}
