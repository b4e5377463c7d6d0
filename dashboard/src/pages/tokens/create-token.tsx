import { useState } from 'preact/hooks'
import type { BodyOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { me } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { FormDialog } from '../../components/dialog.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'

type CreateTokenBody = BodyOf<'createToken'>
type Scope = NonNullable<CreateTokenBody['scopes']>[number]

const expiries = [
  ['', 'No expiry'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '1 year'],
] as const

/** Offers the scopes of the current token, because a token cannot grant other scopes. */
export function CreateToken({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const grantable = (me.value?.scopes ?? []).filter((scope): scope is Scope => scope !== 'instance:read')
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set())
  const [expiresIn, setExpiresIn] = useState('90d')
  const [value, setValue] = useState<string | null>(null)
  const creating = useAction()
  const send = () =>
    creating.run(async () => {
      const body: CreateTokenBody = {
        name: name.trim(),
        scopes: grantable.filter((scope) => scopes.has(scope)),
      }
      if (expiresIn !== '') body.expires_in = expiresIn
      const created = await service.tokens.create(body)
      setValue(created.token)
      showNotice(
        `Created token “${created.name}”.`,
        snippetOf({ method: 'POST', path: '/v1/auth/token', body, call: 'tokens.create' }),
      )
      onCreated()
    })
  const toggle = (scope: Scope) => {
    const next = new Set(scopes)
    if (!next.delete(scope)) next.add(scope)
    setScopes(next)
  }
  if (value !== null)
    return <SecretDialog title="Token created" value={value} kind="token" onClose={onClose} />
  return (
    <FormDialog
      title="Create token"
      action="Create token"
      isDisabled={creating.isBusy || name.trim() === '' || scopes.size === 0}
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
      <fieldset>
        <legend>Scopes</legend>
        <div class="pairs">
          {grantable.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              <code>{scope}</code>
            </label>
          ))}
        </div>
        <button type="button" class="small" onClick={() => setScopes(new Set(grantable))}>
          Select all scopes
        </button>
      </fieldset>
      <Field label="Expiry" error={fieldError(creating.error, '/expires_in')}>
        {(ids) => (
          <select {...ids} value={expiresIn} onChange={(event) => setExpiresIn(event.currentTarget.value)}>
            {expiries.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FormError error={creating.error} shown={['/name', '/expires_in']} />
    </FormDialog>
  )
}
