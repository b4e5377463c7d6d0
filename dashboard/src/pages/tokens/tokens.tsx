/** The tokens of the workspace: who made whom, what each uses, and how to end one. */
import { useState } from 'preact/hooks'

import { listTokens } from '../../api/token-list.js'
import { formatLeft, now, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can, me } from '../../app/session.js'
import { Badge, PageHead, Section, Tabs, Time } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, Needs } from '../../components/states.js'
import { CreateToken } from './create-token.js'
import { RevokeToken } from './revoke-token.js'
import { RotateToken } from './rotate-token.js'
import type { ListedToken } from './token-tree.js'
import { TokenTree } from './token-tree.js'

const longUnusedMs = 30 * 86_400_000

const tabs = [
  ['', 'List'],
  ['tree', 'Who made whom'],
] as const

export function Tokens() {
  const tokens = useResource(can('tokens:read') ? 'tokens' : null, listTokens)
  const [made, setMade] = useState(0)
  const isMaking = queryOf('new') === '1'
  const reload = () => {
    setMade(made + 1)
    tokens.reload()
  }
  return (
    <>
      <PageHead
        title="API tokens"
        lead="What programs and people sign in with. A token is shown once, when it is made."
      >
        {can('tokens:write') && (
          <button
            type="button"
            class="primary"
            data-new=""
            onClick={() => setQuery({ new: '1' }, { replace: true })}
          >
            New token
          </button>
        )}
      </PageHead>
      <Needs scope="tokens:read">
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
              <TokenTable tokens={all} onChange={reload} />
            )
          }
        </Loaded>
      </Needs>
      {isMaking && <CreateToken onMade={reload} onClose={() => setQuery({ new: null }, { replace: true })} />}
    </>
  )
}

type AskedOfToken = { what: 'rotate' | 'revoke'; token: ListedToken } | null

function TokenTable({ tokens, onChange }: { tokens: readonly ListedToken[]; onChange: () => void }) {
  const [asked, setAsked] = useState<AskedOfToken>(null)
  if (tokens.length === 0)
    return <Empty title="No active tokens">Make one for each program, with the scopes that it needs.</Empty>
  const replaced = new Set(tokens.map(({ rotated_from }) => rotated_from))
  return (
    <>
      <Findings tokens={tokens} />
      <Records
        label="API tokens"
        columns={columnsOf(replaced, setAsked)}
        rows={tokens}
        keyOf={({ id }) => id}
      />
      {asked?.what === 'rotate' && (
        <RotateToken token={asked.token} onDone={onChange} onClose={() => setAsked(null)} />
      )}
      {asked?.what === 'revoke' && (
        <RevokeToken token={asked.token} tokens={tokens} onDone={onChange} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

function columnsOf(
  replaced: ReadonlySet<string | null>,
  ask: (asked: NonNullable<AskedOfToken>) => void,
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
            {id === me.value?.id && <Badge tone="accent">yours</Badge>}
          </div>
          {minted > 0 && <div class="muted small-text">has made {minted}</div>}
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
          <Badge tone="warn">replaced, ends in {formatLeft(expires_at, now.value)}</Badge>
        ) : (
          <Time at={expires_at} />
        ),
    },
    { name: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
    ...(can('tokens:write')
      ? [{ name: 'Actions', cell: (token: ListedToken) => <Actions token={token} onAsk={ask} /> }]
      : []),
  ]
}

function Actions({
  token,
  onAsk,
}: {
  token: ListedToken
  onAsk: (asked: NonNullable<AskedOfToken>) => void
}) {
  return (
    <div class="row">
      <button
        type="button"
        class="small"
        aria-label={`Rotate ${token.name}`}
        onClick={() => onAsk({ what: 'rotate', token })}
      >
        Rotate
      </button>
      <button
        type="button"
        class="small danger"
        aria-label={`Revoke ${token.name}`}
        onClick={() => onAsk({ what: 'revoke', token })}
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
        {token.unused_scopes.length > 0 && (
          <span class="muted">, {token.unused_scopes.length} never used</span>
        )}
      </summary>
      {token.scopes.map((scope) => (
        <div key={scope} class="small-text">
          <code>{scope}</code>
          {token.unused_scopes.includes(scope) && <span class="muted"> never used</span>}
        </div>
      ))}
    </details>
  )
}

/** The tokens that deserve a look: unused ones, and those with unused scopes. */
function Findings({ tokens }: { tokens: readonly ListedToken[] }) {
  const isLong = (at: string) => now.value - Date.parse(at) > longUnusedMs
  const idle = tokens.filter(({ last_used_at, created_at }) => isLong(last_used_at ?? created_at))
  const broad = tokens.filter(
    ({ unused_scopes, scopes_watched_since, last_used_at }) =>
      unused_scopes.length > 0 && last_used_at !== null && isLong(scopes_watched_since),
  )
  if (idle.length === 0 && broad.length === 0) return null
  return (
    <Section title="Worth a look">
      {idle.length > 0 && (
        <p>Not used for 30 days, so perhaps no longer needed: {idle.map(({ name }) => name).join(', ')}.</p>
      )}
      {broad.length > 0 && (
        <p>
          May do more than they do. Make one with fewer scopes in their place:{' '}
          {broad.map(({ name, unused_scopes }) => `${name} (${unused_scopes.join(' ')})`).join(', ')}.
        </p>
      )}
    </Section>
  )
}
