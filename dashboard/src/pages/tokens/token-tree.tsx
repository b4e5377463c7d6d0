import type { ItemOf } from '@link-service/client'

import { Badge, Section, Time } from '../../components/basics.js'

export type ListedToken = ItemOf<'listTokens'>

/** All tokens that a token has made, directly or through others. */
export function descendantsOf(token: ListedToken, tokens: readonly ListedToken[]): ListedToken[] {
  const found = new Map<string, ListedToken>()
  const visit = (parent: string) => {
    for (const each of tokens) {
      if (each.created_by !== parent || found.has(each.id)) continue
      found.set(each.id, each)
      visit(each.id)
    }
  }
  visit(token.id)
  found.delete(token.id)
  return [...found.values()]
}

/** The tree of who made whom. A token whose maker is gone is at the top. */
export function TokenTree({ tokens }: { tokens: readonly ListedToken[] }) {
  const ids = new Set(tokens.map(({ id }) => id))
  const roots = tokens.filter(({ created_by }) => created_by === null || !ids.has(created_by))
  return (
    <Section title="Who made whom">
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
        {token.rotated_from !== null && <Badge>by rotation</Badge>}
        <span class="muted small-text">
          made <Time at={token.created_at} />, last used <Time at={token.last_used_at} />
        </span>
      </div>
      {children.length > 0 && <ul class="tree">{children.map((child) => branch(child, tokens))}</ul>}
    </li>
  )
}
