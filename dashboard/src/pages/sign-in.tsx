import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { instanceName, logoUrl } from '../app/branding.js'
import { signIn, startError } from '../app/session.js'
import { FormError, TextField, useAction } from '../components/form.js'

/** How to run the command line on the server, which the service writes into the page. */
const programName = document.querySelector<HTMLMetaElement>('meta[name="command"]')?.content ?? 'link-service'

/** Exchanges a token for a session. The token is not stored. */
export function SignIn({ children }: { children: ComponentChildren }) {
  document.title = `Sign in · ${instanceName}`
  const [token, setToken] = useState('')
  const signingIn = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    signingIn.run(async () => {
      startError.value = null
      await signIn({ token: token.trim() })
    })
  }
  return (
    <div class="sign-in">
      <main>
        <div class="sign-in-head">
          <img class="logo" src={logoUrl} alt="" />
          <h1>Sign in to {instanceName}</h1>
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
            hint="The scopes of the token determine what you can do. The token is not stored in the browser."
          />
          <FormError error={signingIn.error} />
          <button class="primary" disabled={signingIn.isBusy}>
            Sign in
          </button>
        </form>
        <p class="muted small-text">
          No token? Run <code>{programName} dashboard</code> on the server to get a one-time sign-in link, or
          read the <a href="/docs">API reference</a>.
        </p>
      </main>
    </div>
  )
}
