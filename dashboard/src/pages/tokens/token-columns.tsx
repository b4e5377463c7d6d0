/** The columns of the list of tokens. */
import { formatLeft, now, plural } from '../../app/format.js'
import { me } from '../../app/session-state.js'
import { can } from '../../app/session.js'
import { Badge, Time } from '../../components/basics.js'
import { MoreMenu } from '../../components/more-menu.js'
import { ordersByCreation } from '../../lists/list-order.js'
import { windowSize } from '../../lists/list-view.js'
import type { ListColumn } from '../../lists/list.js'
import { describeRestrictions, summarizeRestrictions } from './restriction-values.js'
import type { ListedToken } from './token-tree.js'

export interface TokenAction {
  kind: 'show' | 'rotate' | 'revoke'
  token: ListedToken
}

export const tokenSortValues: Readonly<Record<string, (token: ListedToken) => string | number | null>> = {
  name: ({ name }) => name,
  scopes: ({ scopes }) => scopes.length,
  restrictions: ({ restrictions }) => describeRestrictions(restrictions).length,
  last_used: ({ last_used_at: at }) => at,
  expires: ({ expires_at: at }) => at,
  created_at: ({ created_at: at }) => at,
}

const restrictionsColumn: ListColumn<ListedToken> = {
  name: 'Restrictions',
  orders: [['-restrictions', 'Most restrictions']],
  title: ({ restrictions }) => describeRestrictions(restrictions).join('\n') || undefined,
  cell: ({ restrictions }) =>
    restrictions === null ? <span class="muted">–</span> : summarizeRestrictions(restrictions),
}

export function tokenColumns(
  tokens: readonly ListedToken[],
  onAction: (action: TokenAction) => void,
): ListColumn<ListedToken>[] {
  const replaced = new Set(tokens.map(({ rotated_from }) => rotated_from))
  return [
    {
      name: 'Name',
      orders: [
        ['name', 'Name, A to Z'],
        ['-name', 'Name, Z to A'],
      ],
      title: ({ name }) => name,
      cell: ({ id, name }) => (
        <>
          {name} {id === me.value?.id && <Badge tone="accent">current</Badge>}
        </>
      ),
    },
    {
      name: 'Token',
      width: 146,
      isWide: true,
      cell: (token) => <TokenHint token={token} />,
    },
    {
      name: 'Scopes',
      width: 174,
      orders: [
        ['-scopes', 'Most scopes'],
        ['scopes', 'Fewest scopes'],
      ],
      title: ({ scopes }) => scopes.join('\n'),
      cell: (token) => <ScopeCount token={token} />,
    },
    ...(tokens.some(({ restrictions }) => restrictions !== null) ? [restrictionsColumn] : []),
    {
      name: 'Last used',
      width: 120,
      orders: [
        ['-last_used', 'Recently used first'],
        ['last_used', 'Least recently used first'],
      ],
      cell: ({ last_used_at }) => <Time at={last_used_at} />,
    },
    {
      name: 'Expires',
      width: 152,
      orders: [
        ['expires', 'Expires soonest'],
        ['-expires', 'Expires latest'],
      ],
      narrowLine: 1,
      cell: ({ id, expires_at }) =>
        replaced.has(id) && expires_at ? (
          <Badge tone="warn">rotated, {roughLeft(expires_at)} left</Badge>
        ) : (
          <Expiry at={expires_at} />
        ),
    },
    {
      name: 'Created',
      width: 118,
      orders: ordersByCreation,
      isHiddenAtFirst: true,
      isWide: true,
      narrowLine: 2,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      name: 'Created tokens',
      width: 130,
      isRightAligned: true,
      isWide: true,
      isHiddenAtFirst: true,
      cell: ({ minted }) => minted,
    },
    ...(can('tokens:write')
      ? [
          {
            name: 'Actions',
            width: 80,
            isRightAligned: true,
            cell: (token: ListedToken) => <TokenMenu token={token} onAction={onAction} />,
          },
        ]
      : []),
  ]
}

function Expiry({ at }: { at: string | null }) {
  if (windowSize.value !== 'narrow') return <Time at={at} />
  if (at === null) return <span class="muted">never expires</span>
  return (
    <>
      expires <Time at={at} />
    </>
  )
}

/** The remaining time in its largest unit, because the column is narrow. */
function roughLeft(until: string): string {
  return formatLeft(until, now.value).split(' ').slice(0, 2).join('')
}

export function TokenHint({ token: { prefix, last4 } }: { token: ListedToken }) {
  return (
    <code>
      {prefix}…{last4}
    </code>
  )
}

/** A token that was never used has no scope worth naming as unused. */
export function ScopeCount({
  token: { scopes, unused_scopes: unused, last_used_at: usedAt },
}: {
  token: ListedToken
}) {
  return (
    <>
      {plural(scopes.length, 'scope')}
      {usedAt !== null && unused.length > 0 && <span class="muted">, {unused.length} unused</span>}
    </>
  )
}

function TokenMenu({ token, onAction }: { token: ListedToken; onAction: (action: TokenAction) => void }) {
  return (
    <MoreMenu label={`Actions of ${token.name}`}>
      <button type="button" onClick={() => onAction({ kind: 'rotate', token })}>
        Rotate
      </button>
      <button type="button" class="danger" onClick={() => onAction({ kind: 'revoke', token })}>
        Revoke
      </button>
    </MoreMenu>
  )
}
