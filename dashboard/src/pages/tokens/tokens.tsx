/** The tokens of the workspace. */
import { useState } from 'preact/hooks'

import { listTokens } from '../../api/token-list.js'
import { formatLeft, now, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can, me } from '../../app/session.js'
import { A, Badge, PageHead, Section, Tabs, Time } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { CreateToken } from './create-token.js'
import { RevokeToken } from './revoke-token.js'
import { RotateToken } from './rotate-token.js'
import type { ListedToken } from './token-tree.js'
import { TokenTree } from './token-tree.js'

const longUnusedMs = 30 * 86_400_000

const tabs = [
  ['', 'List'],
  ['tree', 'Hierarchy'],
] as const

export function Tokens() {
  const tokens = useResource(can('tokens:read') ? 'tokens' : null, listTokens)
  const isCreating = queryOf('new') === '1'
  return (
    <>
      <PageHead
        title="API tokens"
        lead="Credentials for programs and for the dashboard. A token is shown only once, when it is created."
      >
        {can('tokens:write') && (
          <button
            type="button"
            class="primary"
            data-new=""
            onClick={() => setQuery({ new: '1' }, { replace: true })}
          >
            Create token
          </button>
        )}
      </PageHead>
      <RequireScope scope="tokens:read">
        <div>
          <Tabs
            label="View"
            tabs={tabs}
            current={queryOf('view')}
            onPick={(view) => setQuery({ view }, { replace: true })}
          />
        </div>
        <Loaded from={tokens} rows={6}>
          {(all) =>
            queryOf('view') === 'tree' ? (
              <TokenTree tokens={all} />
            ) : (
              <TokenTable tokens={all} shownId={queryOf('token')} onChange={tokens.reload} />
            )
          }
        </Loaded>
      </RequireScope>
      {isCreating && (
        <CreateToken onCreated={tokens.reload} onClose={() => setQuery({ new: null }, { replace: true })} />
      )}
    </>
  )
}

type TokenAction = { kind: 'rotate' | 'revoke'; token: ListedToken } | null

interface TokenTableProps {
  tokens: readonly ListedToken[]
  /** The only token to show. Empty for all tokens. */
  shownId: string
  onChange: () => void
}

function TokenTable({ tokens, shownId, onChange }: TokenTableProps) {
  const [action, setAction] = useState<TokenAction>(null)
  if (tokens.length === 0)
    return (
      <Empty title="No active tokens">Create one token per program, with only the scopes it needs.</Empty>
    )
  const shown = shownId === '' ? tokens : tokens.filter(({ id }) => id === shownId)
  const replaced = new Set(tokens.map(({ rotated_from }) => rotated_from))
  return (
    <>
      {shownId === '' ? (
        <Recommendations tokens={tokens} />
      ) : (
        <p>
          <A to="/settings/tokens">Show all tokens</A>
        </p>
      )}
      {shown.length === 0 ? (
        <Empty title="This token does not exist or is no longer active" />
      ) : (
        <Records
          label="API tokens"
          columns={columnsOf(replaced, setAction)}
          rows={shown}
          keyOf={({ id }) => id}
        />
      )}
      {action?.kind === 'rotate' && (
        <RotateToken token={action.token} onDone={onChange} onClose={() => setAction(null)} />
      )}
      {action?.kind === 'revoke' && (
        <RevokeToken token={action.token} tokens={tokens} onDone={onChange} onClose={() => setAction(null)} />
      )}
    </>
  )
}

function columnsOf(
  replaced: ReadonlySet<string | null>,
  openDialog: (action: NonNullable<TokenAction>) => void,
): Column<ListedToken>[] {
  return [
    {
      name: 'Name',
      cell: ({ id, name, minted }) => (
        <>
          <div class="row">
            <b class="clip" title={name}>
              {name}
            </b>
            {id === me.value?.id && <Badge tone="accent">current</Badge>}
          </div>
          {minted > 0 && <div class="muted small-text">created {plural(minted, 'token')}</div>}
        </>
      ),
    },
    {
      name: 'Token',
      cell: ({ prefix, last4 }) => (
        <code>
          {prefix}…{last4}
        </code>
      ),
    },
    { name: 'Scopes', cell: (token) => <Scopes token={token} /> },
    { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      name: 'Expires',
      cell: ({ id, expires_at }) =>
        replaced.has(id) && expires_at ? (
          <Badge tone="warn">rotated, expires in {formatLeft(expires_at, now.value)}</Badge>
        ) : (
          <Time at={expires_at} />
        ),
    },
    { name: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    ...(can('tokens:write')
      ? [{ name: 'Actions', cell: (token: ListedToken) => <Actions token={token} onAsk={openDialog} /> }]
      : []),
  ]
}

function Actions({
  token,
  onAsk,
}: {
  token: ListedToken
  onAsk: (action: NonNullable<TokenAction>) => void
}) {
  return (
    <div class="row">
      <button
        type="button"
        class="small"
        aria-label={`Rotate ${token.name}`}
        onClick={() => onAsk({ kind: 'rotate', token })}
      >
        Rotate
      </button>
      <button
        type="button"
        class="small danger"
        aria-label={`Revoke ${token.name}`}
        onClick={() => onAsk({ kind: 'revoke', token })}
      >
        Revoke
      </button>
    </div>
  )
}

function Scopes({ token }: { token: ListedToken }) {
  return (
    <details>
      <summary class="small-text">
        {plural(token.scopes.length, 'scope')}
        {token.unused_scopes.length > 0 && <span class="muted">, {token.unused_scopes.length} unused</span>}
      </summary>
      {token.scopes.map((scope) => (
        <div key={scope} class="small-text">
          <code>{scope}</code>
          {token.unused_scopes.includes(scope) && <span class="muted"> unused</span>}
        </div>
      ))}
    </details>
  )
}

/** Lists unused tokens and tokens with unused scopes. */
function Recommendations({ tokens }: { tokens: readonly ListedToken[] }) {
  const isLongAgo = (at: string) => now.value - Date.parse(at) > longUnusedMs
  const idle = tokens.filter(({ last_used_at, created_at }) => isLongAgo(last_used_at ?? created_at))
  const broad = tokens.filter(
    ({ unused_scopes, scopes_watched_since, last_used_at }) =>
      unused_scopes.length > 0 && last_used_at !== null && isLongAgo(scopes_watched_since),
  )
  if (idle.length === 0 && broad.length === 0) return null
  return (
    <Section title="Recommendations">
      {idle.length > 0 && (
        <p>Revoke tokens that were not used for 30 days: {idle.map(({ name }) => name).join(', ')}.</p>
      )}
      {broad.length > 0 && (
        <p>
          Replace tokens that have unused scopes:{' '}
          {broad.map(({ name, unused_scopes }) => `${name} (${unused_scopes.join(' ')})`).join(', ')}.
        </p>
      )}
    </Section>
  )
}
