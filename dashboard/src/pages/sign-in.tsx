import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { instanceName, logoUrl } from '../app/branding.js'
import { me } from '../app/session-state.js'
import { resumeSession, signIn, startError } from '../app/session.js'
import { leaveForm } from '../app/unsaved-changes.js'
import { Dialog } from '../components/dialog.js'
import { FormError, TextField, useAction } from '../components/form.js'

/** How to run the command line on the server, which the service writes into the page. */
const programName = document.querySelector<HTMLMetaElement>('meta[name="command"]')?.content ?? 'link-service'

/** Exchanges a token for a session. The token is not stored. */
function TokenForm() {
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
  )
}

/** Shown above a form with unsaved changes when the session has ended. */
export function SignInAgain() {
  useEffect(() => {
    const resume = () => void resumeSession()
    addEventListener('focus', resume)
    return () => removeEventListener('focus', resume)
  }, [])
  return (
    <Dialog
      title="Session ended: sign in with the same token"
      onClose={() => leaveForm(() => (me.value = null))}
    >
      <div class="stack">
        <TokenForm />
        <p class="muted small-text">
          Another token discards your changes. Without the token value, run{' '}
          <code>
            {programName} dashboard --token-id {me.value?.id}
          </code>{' '}
          on the server and open its link in another tab.
        </p>
      </div>
    </Dialog>
  )
}

export function SignIn({ children }: { children: ComponentChildren }) {
  document.title = `Sign in · ${instanceName}`
  return (
    <div class="sign-in">
      <main>
        <div class="sign-in-head">
          <img class="logo" src={logoUrl} alt="" />
          <h1>Sign in to {instanceName}</h1>
        </div>
        {children}
        <TokenForm />
        <p class="muted small-text">
          No token? Run <code>{programName} dashboard</code> on the server to get a one-time sign-in link, or
          read the <a href="/docs">API reference</a>.
        </p>
      </main>
    </div>
  )
}
