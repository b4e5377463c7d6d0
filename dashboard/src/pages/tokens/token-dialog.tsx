/** The details of one token: its scopes, its restrictions, its times and its origin. */
import { plural } from '../../app/format.js'
import { can } from '../../app/session.js'
import { A, Time } from '../../components/basics.js'
import { Dialog } from '../../components/dialog.js'
import { RestrictionFacts } from './restriction-facts.js'
import { TokenHint } from './token-columns.js'
import type { TokenAction } from './token-columns.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  tokens: readonly ListedToken[]
  onAction: (action: TokenAction) => void
  onClose: () => void
}

export function TokenDialog({ token, tokens, onAction, onClose }: Props) {
  const getTokenName = (id: string) => tokens.find((each) => each.id === id)?.name ?? id
  return (
    <Dialog title={`Token “${token.name}”`} onClose={onClose}>
      <div class="stack">
        <dl class="facts">
          <dt>Token</dt>
          <dd>
            <TokenHint token={token} />
          </dd>
          <dt>Last used</dt>
          <dd>
            <Time at={token.last_used_at} />
          </dd>
          <dt>Expires</dt>
          <dd>
            <Time at={token.expires_at} />
          </dd>
          <dt>Created</dt>
          <dd>
            <Time at={token.created_at} />
            {token.created_by !== null && <> by “{getTokenName(token.created_by)}”</>}
          </dd>
          {token.minted > 0 && (
            <>
              <dt>Created tokens</dt>
              <dd>{plural(token.minted, 'token')}</dd>
            </>
          )}
          {token.restrictions && <RestrictionFacts restrictions={token.restrictions} />}
          <dt>Scopes</dt>
          <dd>
            {token.scopes.map((scope) => (
              <div key={scope}>
                <code>{scope}</code>
                {token.unused_scopes.includes(scope) && <span class="muted"> unused</span>}
              </div>
            ))}
          </dd>
        </dl>
        <div class="row wrap end">
          {can('audit:read') && (
            <A to={`/settings/audit-log?token_id=${token.id}`} class="button">
              Show audit log
            </A>
          )}
          {can('tokens:write') && (
            <>
              <button type="button" onClick={() => onAction({ kind: 'rotate', token })}>
                Rotate token
              </button>
              <button type="button" onClick={() => onAction({ kind: 'revoke', token })}>
                Revoke token
              </button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}
