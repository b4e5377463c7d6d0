import type { ItemOf } from '@link-service/client'

import { Badge, Section, Time } from '../../components/basics.js'

export type ListedToken = ItemOf<'listTokens'>

/** Returns all tokens that a token created, directly or through other tokens. */
export function descendantsOf(token: ListedToken, tokens: readonly ListedToken[]): ListedToken[] {
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
    <Section title="Token hierarchy">
      <ul class="tree root">{roots.map((token) => branch(token, tokens))}</ul>
    </Section>
  )
}

function branch(token: ListedToken, tokens: readonly ListedToken[]) {
  const children = tokens.filter(({ created_by }) => created_by === token.id)
  return (
    <li key={token.id}>
      <div class="row wrap">
        <b>{token.name}</b>
        <code>…{token.last4}</code>
        {token.rotated_from !== null && <Badge>rotated</Badge>}
        <span class="muted small-text">
          created <Time at={token.created_at} />, last used <Time at={token.last_used_at} />
        </span>
      </div>
      {children.length > 0 && <ul class="tree">{children.map((child) => branch(child, tokens))}</ul>}
    </li>
  )
}
