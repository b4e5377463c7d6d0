import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { say } from '../../app/notices.js'
import { me } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { Confirm } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { descendantsOf } from './token-tree.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  tokens: readonly ListedToken[]
  onDone: () => void
  onClose: () => void
}

export function RevokeToken({ token, tokens, onDone, onClose }: Props) {
  const minted = descendantsOf(token, tokens)
  const [takesAll, setTakesAll] = useState(minted.length > 0)
  const revoking = useAction()
  const run = () =>
    revoking.run(async () => {
      await service.tokens.revoke(token.id, takesAll ? { descendants: true } : {})
      const path = `/v1/auth/token/${token.id}${takesAll ? '?descendants=true' : ''}`
      say(
        `Revoked ${token.name}${takesAll && minted.length > 0 ? ` and ${plural(minted.length, 'token')} that it made` : ''}.`,
        snippetOf({
          method: 'DELETE',
          path,
          call: 'tokens.revoke',
          args: takesAll ? [token.id, { descendants: true }] : [token.id],
        }),
      )
      onDone()
      onClose()
    })
  return (
    <Confirm
      title={`Revoke ${token.name}?`}
      action="Revoke"
      isBusy={revoking.isBusy}
      error={<FormError error={revoking.error} />}
      onConfirm={run}
      onClose={onClose}
    >
      <p>Every call with it is refused at once. This cannot be taken back.</p>
      {token.id === me.value?.id && (
        <p class="callout warn">You are signed in with this token: it signs you out.</p>
      )}
      {minted.length > 0 && (
        <>
          <label class="check">
            <input
              type="checkbox"
              checked={takesAll}
              onChange={(event) => setTakesAll(event.currentTarget.checked)}
            />
            Also the {plural(minted.length, 'token')} that it made
          </label>
          <ul>
            {minted.map((each) => (
              <li key={each.id}>{each.name}</li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  )
}
