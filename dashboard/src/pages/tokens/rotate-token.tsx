import { useState } from 'preact/hooks'

import { service } from '../../api/service.js'
import { say } from '../../app/notices.js'
import { snippetOf } from '../../app/snippets.js'
import { Dialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { Secret } from './secret.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  onDone: () => void
  onClose: () => void
}

export function RotateToken({ token, onDone, onClose }: Props) {
  const [overlap, setOverlap] = useState('24h')
  const [value, setValue] = useState<string | null>(null)
  const rotating = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    rotating.run(async () => {
      const body = { overlap: overlap.trim() }
      const made = await service.tokens.rotate(token.id, body)
      setValue(made.token)
      const path = `/v1/auth/token/${token.id}/rotate`
      say(
        `Rotated ${token.name}.`,
        snippetOf({ method: 'POST', path, body, call: 'tokens.rotate', args: [token.id] }),
      )
      onDone()
    })
  }
  return (
    <Dialog title={value === null ? `Rotate ${token.name}` : 'The new token'} onClose={onClose}>
      {value !== null ? (
        <div class="stack">
          <Secret value={value} what="The new token" />
          <p>The old one works until the overlap ends. The list counts it down.</p>
          <div class="row end">
            <button type="button" class="primary" onClick={onClose}>
              I have copied it
            </button>
          </div>
        </div>
      ) : (
        <form class="stack" onSubmit={send}>
          <p>A new token with the same name and scopes takes its place.</p>
          <TextField
            label="Both work for"
            hint="Such as 30m, 24h or 7d."
            value={overlap}
            onInput={setOverlap}
            error={fieldError(rotating.error, '/overlap')}
            required
            autofocus
          />
          <FormError error={rotating.error} shown={['/overlap']} />
          <div class="row end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button class="primary" disabled={rotating.isBusy}>
              Rotate
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
