/** The tokens of the workspace. */
import { useState } from 'preact/hooks'

import { listTokens } from '../../api/token-list.js'
import { now } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { PageHead, Section, Tabs, Time } from '../../components/basics.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { ListControls } from '../../lists/list-controls.js'
import { sortRows } from '../../lists/list-order.js'
import { List } from '../../lists/list.js'
import { CreateToken } from './create-token.js'
import { summarizeRestrictions } from './restriction-values.js'
import { RevokeToken } from './revoke-token.js'
import { RotateToken } from './rotate-token.js'
import { ScopeCount, tokenColumns, tokenSortValues } from './token-columns.js'
import type { TokenAction } from './token-columns.js'
import { TokenDialog } from './token-dialog.js'
import type { ListedToken } from './token-tree.js'
import { TokenTree } from './token-tree.js'

const longUnusedMs = 30 * 86_400_000

const tabs = [
  ['', 'List'],
  ['tree', 'Hierarchy'],
] as const

export function Tokens() {
  const tokens = useResource(can('tokens:read') ? 'tokens' : null, listTokens)
  const isCreating = getQueryParameter('new') === '1'
  return (
    <>
      <PageHead
        title="API tokens"
        lead="Access for programs and people. You see a token only once, when you create it."
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
        <div class="row wrap">
          <Tabs
            label="View"
            tabs={tabs}
            current={getQueryParameter('view')}
            onPick={(view) => setQuery({ view }, { replace: true })}
          />
          {getQueryParameter('view') !== 'tree' && (
            <ListControls name={listName} columns={tokenColumns(tokens.data ?? [], () => undefined)} />
          )}
        </div>
        <Loaded from={tokens} rows={6}>
          {(all) => <TokenView tokens={all} onChange={tokens.reload} />}
        </Loaded>
      </RequireScope>
      {isCreating && (
        <CreateToken onCreated={tokens.reload} onClose={() => setQuery({ new: null }, { replace: true })} />
      )}
    </>
  )
}

/** The list or the hierarchy, and the dialog of a token. */
function TokenView({ tokens, onChange }: { tokens: readonly ListedToken[]; onChange: () => void }) {
  const [chosen, setAction] = useState<TokenAction | null>(null)
  const namedId = getQueryParameter('token')
  const named = tokens.find(({ id }) => id === namedId)
  const action: TokenAction | null = chosen ?? (named ? { kind: 'show', token: named } : null)
  const close = () => {
    setAction(null)
    setQuery({ token: null }, { replace: true })
  }
  return (
    <>
      {namedId !== '' && !named && <p>The token {namedId} does not exist or is no longer active.</p>}
      {getQueryParameter('view') === 'tree' ? (
        <TokenTree tokens={tokens} />
      ) : (
        <TokenList tokens={tokens} onAction={setAction} />
      )}
      {action?.kind === 'show' && (
        <TokenDialog token={action.token} tokens={tokens} onAction={setAction} onClose={close} />
      )}
      {action?.kind === 'rotate' && <RotateToken token={action.token} onDone={onChange} onClose={close} />}
      {action?.kind === 'revoke' && (
        <RevokeToken token={action.token} tokens={tokens} onDone={onChange} onClose={close} />
      )}
    </>
  )
}

interface TokenListProps {
  tokens: readonly ListedToken[]
  onAction: (action: TokenAction) => void
}

function TokenList({ tokens, onAction }: TokenListProps) {
  if (tokens.length === 0)
    return (
      <Empty title="No active tokens">Create one token per program, with only the scopes it needs.</Empty>
    )
  return (
    <>
      <Recommendations tokens={tokens} />
      <List
        name={listName}
        label="API tokens"
        columns={tokenColumns(tokens, onAction)}
        rows={sortRows(tokens, tokenSortValues)}
        getRowKey={({ id }) => id}
        onOpen={(token) => onAction({ kind: 'show', token })}
        summary={(token) => (
          <>
            <ScopeCount token={token} />,{' '}
            {token.last_used_at === null ? (
              'never used'
            ) : (
              <>
                used <Time at={token.last_used_at} />
              </>
            )}
            {token.restrictions && <div class="cut">{summarizeRestrictions(token.restrictions)}</div>}
          </>
        )}
      />
    </>
  )
}

const listName = 'tokens'

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
