import { useState } from 'preact/hooks'
import type { BodyOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { me } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { FormDialog } from '../../components/dialog.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { SecretDialog } from '../../components/secret-dialog.js'

type CreateTokenBody = BodyOf<'createToken'>
type Scope = NonNullable<CreateTokenBody['scopes']>[number]

const lives = [
  ['', 'Never'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '1 year'],
] as const

/** Offers only the scopes of the own token, because a token can give no others. */
export function CreateToken({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const own = (me.value?.scopes ?? []).filter((scope): scope is Scope => scope !== 'instance:read')
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set())
  const [life, setLife] = useState('90d')
  const [value, setValue] = useState<string | null>(null)
  const making = useAction()
  const send = () =>
    making.run(async () => {
      const body: CreateTokenBody = { name: name.trim(), scopes: own.filter((scope) => scopes.has(scope)) }
      if (life !== '') body.expires_in = life
      const made = await service.tokens.create(body)
      setValue(made.token)
      say(
        `Made the token ${made.name}.`,
        snippetOf({ method: 'POST', path: '/v1/auth/token', body, call: 'tokens.create' }),
      )
      onMade()
    })
  const toggle = (scope: Scope) => {
    const next = new Set(scopes)
    if (!next.delete(scope)) next.add(scope)
    setScopes(next)
  }
  if (value !== null)
    return <SecretDialog title="Your new token" value={value} what="The token" onClose={onClose} />
  return (
    <FormDialog
      title="New token"
      action="Make the token"
      isDisabled={making.isBusy || name.trim() === '' || scopes.size === 0}
      onSend={send}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What uses it, so that you know it again."
        value={name}
        onInput={setName}
        error={fieldError(making.error, '/name')}
        placeholder="newsletter"
        required
        isFirst
      />
      <fieldset>
        <legend>Scopes</legend>
        <div class="pairs">
          {own.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              <code>{scope}</code>
            </label>
          ))}
        </div>
        <button type="button" class="small" onClick={() => setScopes(new Set(own))}>
          All that you have
        </button>
      </fieldset>
      <Field label="Expires after" error={fieldError(making.error, '/expires_in')}>
        {(ids) => (
          <select {...ids} value={life} onChange={(event) => setLife(event.currentTarget.value)}>
            {lives.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FormError error={making.error} shown={['/name', '/expires_in']} />
    </FormDialog>
  )
}
