import { useState } from 'preact/hooks'
import type { BodyOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { say } from '../../app/notices.js'
import { me } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { Dialog } from '../../components/dialog.js'
import { Field, fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { Secret } from './secret.js'

type Body = BodyOf<'createToken'>
type Scope = NonNullable<Body['scopes']>[number]

const lives = [
  ['', 'Never'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '1 year'],
] as const

/** A token can give what it has and no more, so only that can be picked. */
export function CreateToken({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const own = (me.value?.scopes ?? []).filter((scope): scope is Scope => scope !== 'instance:read')
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set())
  const [life, setLife] = useState('90d')
  const [value, setValue] = useState<string | null>(null)
  const making = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    making.run(async () => {
      const body: Body = { name: name.trim(), scopes: own.filter((scope) => scopes.has(scope)) }
      if (life !== '') body.expires_in = life
      const made = await service.tokens.create(body)
      setValue(made.token)
      say(
        `Made the token ${made.name}.`,
        snippetOf({ method: 'POST', path: '/v1/auth/token', body, call: 'tokens.create' }),
      )
      onMade()
    })
  }
  const toggle = (scope: Scope) => {
    const next = new Set(scopes)
    if (!next.delete(scope)) next.add(scope)
    setScopes(next)
  }
  if (value !== null)
    return (
      <Dialog title="Your new token" onClose={onClose}>
        <div class="stack">
          <Secret value={value} what="The token" />
          <div class="row end">
            <button type="button" class="primary" onClick={onClose}>
              I have copied it
            </button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title="New token" onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <TextField
          label="Name"
          hint="What uses it, so that you know it again."
          value={name}
          onInput={setName}
          error={fieldError(making.error, '/name')}
          placeholder="newsletter"
          required
          autofocus
        />
        <fieldset>
          <legend>Scopes</legend>
          <button type="button" class="quiet small" onClick={() => setScopes(new Set(own))}>
            All that you have
          </button>
          {own.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              <code>{scope}</code>
            </label>
          ))}
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
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={making.isBusy || name.trim() === '' || scopes.size === 0}>
            Make the token
          </button>
        </div>
      </form>
    </Dialog>
  )
}
