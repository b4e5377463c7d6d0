import type { ItemOf } from '@link-service/client'

import { plural } from '../../app/format.js'
import { me } from '../../app/session-state.js'
import { A, Badge, Time } from '../../components/basics.js'
import { describeRestrictions } from './restriction-values.js'

export type ListedToken = ItemOf<'listTokens'>

/** Returns all tokens that a token created, directly or through other tokens. */
export function findDescendants(token: ListedToken, tokens: readonly ListedToken[]): ListedToken[] {
  const descendants = new Map<string, ListedToken>()
  const visit = (parent: string) => {
    for (const each of tokens) {
      if (each.created_by !== parent || descendants.has(each.id)) continue
      descendants.set(each.id, each)
      visit(each.id)
    }
  }
  visit(token.id)
  descendants.delete(token.id)
  return [...descendants.values()]
}

/** The hierarchy of which token created which. A token whose creator is no longer active is at the top. */
export function TokenTree({ tokens }: { tokens: readonly ListedToken[] }) {
  const ids = new Set(tokens.map(({ id }) => id))
  const roots = tokens.filter(({ created_by }) => created_by === null || !ids.has(created_by))
  return (
    <section class="card" aria-label="Token hierarchy">
      <p class="muted">Shows which token created which. Revoking one can also revoke the tokens below it.</p>
      <div class="tree-row tree-head" aria-hidden="true">
        <span>Name</span>
        <span>Scopes</span>
        <span>Last used</span>
        <span>Expires</span>
      </div>
      <ul class="tree root">
        {roots.map((token) => (
          <Branch key={token.id} token={token} tokens={tokens} />
        ))}
      </ul>
    </section>
  )
}

function Branch({ token, tokens }: { token: ListedToken; tokens: readonly ListedToken[] }) {
  const { id, name, last4, rotated_from: rotatedFrom } = token
  const { last_used_at: usedAt, expires_at: expiresAt } = token
  const children = tokens.filter(({ created_by }) => created_by === id)
  const old = tokens.find((each) => each.id === rotatedFrom)
  const isReplaced = tokens.some((each) => each.rotated_from === id)
  return (
    <li>
      <div class="tree-row">
        <div class="row wrap">
          <A to={`/settings/tokens?view=tree&token=${id}`} class="name">
            {name}
          </A>
          <code class="muted">…{last4}</code>
          {id === me.value?.id && <Badge tone="accent">current</Badge>}
          {old && <Badge>replaces …{old.last4}</Badge>}
          {token.restrictions && (
            <span class="badge" title={describeRestrictions(token.restrictions).join('\n')}>
              restricted
            </span>
          )}
          {isReplaced && <Badge tone="warn">rotated</Badge>}
          {token.scopes.includes('tokens:write') && <Badge>can create tokens</Badge>}
        </div>
        <span class="muted small-text wide-only" title={token.scopes.join(', ')}>
          {plural(token.scopes.length, 'scope')}
        </span>
        <span class="muted small-text">
          {usedAt === null ? (
            <>
              never<span class="tree-word"> used</span>
            </>
          ) : (
            <>
              <span class="tree-word">used </span>
              <Time at={usedAt} />
            </>
          )}
        </span>
        <span class="muted small-text">
          {expiresAt === null ? (
            <>
              never<span class="tree-word"> expires</span>
            </>
          ) : (
            <>
              <span class="tree-word">expires </span>
              <Time at={expiresAt} />
            </>
          )}
        </span>
      </div>
      {children.length > 0 && (
        <ul class="tree">
          {children.map((child) => (
            <Branch key={child.id} token={child} tokens={tokens} />
          ))}
        </ul>
      )}
    </li>
  )
}
