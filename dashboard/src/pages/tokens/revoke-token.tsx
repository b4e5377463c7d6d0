import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { me } from '../../app/session-state.js'
import { createSnippet } from '../../app/snippets.js'
import { Confirm } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { findDescendants } from './token-tree.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  tokens: readonly ListedToken[]
  onDone: () => void
  onClose: () => void
}

export function RevokeToken({ token, tokens, onDone, onClose }: Props) {
  const descendants = findDescendants(token, tokens)
  const [includesDescendants, setIncludesDescendants] = useState(false)
  const revoking = useAction()
  const revoke = () =>
    revoking.run(async () => {
      await service.tokens.revoke(token.id, includesDescendants ? { descendants: true } : {})
      const path = `/v1/auth/token/${token.id}${includesDescendants ? '?descendants=true' : ''}`
      showNotice(
        `Revoked token “${token.name}”${includesDescendants && descendants.length > 0 ? ` and ${plural(descendants.length, 'descendant')}` : ''}.`,
        createSnippet({
          method: 'DELETE',
          path,
          call: 'tokens.revoke',
          args: includesDescendants ? [token.id, { descendants: true }] : [token.id],
        }),
      )
      onDone()
      onClose()
    })
  return (
    <Confirm
      title={`Revoke token “${token.name}”?`}
      action={includesDescendants ? `Revoke ${plural(descendants.length + 1, 'token')}` : 'Revoke token'}
      typed={token.name}
      isBusy={revoking.isBusy}
      error={<FormError error={revoking.error} />}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>The token stops working immediately. This cannot be undone.</p>
      {token.id === me.value?.id && (
        <p class="callout warn">You are signed in with this token. Revoking it signs you out.</p>
      )}
      {descendants.length > 0 && (
        <div>
          <label class="check">
            <input
              type="checkbox"
              checked={includesDescendants}
              onChange={(event) => setIncludesDescendants(event.currentTarget.checked)}
            />
            <span>
              Also revoke {plural(descendants.length, 'token')} created with this token
              <span class="hint block">{descendants.map(({ name }) => name).join(', ')}</span>
            </span>
          </label>
        </div>
      )}
    </Confirm>
  )
}
