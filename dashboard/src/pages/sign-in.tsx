import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { base } from '../app/router.js'
import { signIn, startError } from '../app/session.js'
import { FormError, TextField, useAction } from '../components/form.js'

/** Exchanges a token for a session. The token is only in this field and in one request, and nowhere else. */
export function SignIn({ children }: { children: ComponentChildren }) {
  document.title = 'Sign in · Link Service'
  const [token, setToken] = useState('')
  const signing = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    signing.run(async () => {
      startError.value = null
      await signIn({ token: token.trim() })
    })
  }
  return (
    <div class="sign-in">
      <main>
        <div class="row">
          <img src={`${base}/icon.svg`} alt="" width={28} height={28} />
          <h1>Sign in to Link Service</h1>
        </div>
        {children}
        <form class="card" onSubmit={send}>
          <TextField
            label="API token"
            type="password"
            autocomplete="off"
            placeholder="lsk_live_…"
            required
            isFirst
            value={token}
            onInput={setToken}
            hint="You can see and do here what this token may. It is not kept in the browser."
          />
          <FormError error={signing.error} />
          <button class="primary" disabled={signing.isBusy || token.trim() === ''}>
            Sign in
          </button>
        </form>
        <p class="muted small-text">
          No token at hand? On the machine of the service, <code class="nowrap">link-service dashboard</code>{' '}
          prints an address that signs you in once.
        </p>
      </main>
    </div>
  )
}
