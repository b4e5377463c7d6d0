import type { ItemOf, QueryOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { listTokens } from '../../api/token-list.js'
import { useResource } from '../../app/resource.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, Badge, PageHead, Time } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'

type Entry = ItemOf<'listAuditEntries'>

/** Declared as an object so that the compiler reports a missing action. */
const actions = Object.keys({
  'token.created': true,
  'token.rotated': true,
  'token.revoked': true,
  'token.refused': true,
  'session.created': true,
  'session.ended': true,
  'session.refused': true,
  'link.created': true,
  'link.updated': true,
  'link.deleted': true,
  'webhook.created': true,
  'webhook.changed': true,
  'webhook.secret_rotated': true,
  'webhook.deleted': true,
  'webhook.disabled': true,
} satisfies Record<Entry['action'], true>)

export function AuditLog() {
  return (
    <>
      <PageHead title="Audit log" lead="Who did what, when, and from where. Entries cannot be changed." />
      <RequireScope scope="audit:read">
        <Entries />
      </RequireScope>
    </>
  )
}

const filterNames = ['action', 'token_id', 'object_id']

function Entries() {
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => (place.value.query.get(name) ? [[name, queryOf(name)]] : [])),
  ) as QueryOf<'listAuditEntries'>
  const entries = usePages(`audit ${JSON.stringify(filters)}`, (cursor, signal) =>
    service.auditLog.list({ ...filters, limit: 50 }, { signal }).page(cursor),
  )
  const tokens = useResource(can('tokens:read') ? 'tokens' : null, listTokens)
  const nameOf = new Map(tokens.data?.map(({ id, name }) => [id, name]))
  const field = (name: string, label: string) => (
    <input
      key={queryOf(name)}
      aria-label={label}
      placeholder={label}
      defaultValue={queryOf(name)}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  )
  return (
    <>
      <div class="filters">
        <Select
          label="Action"
          value={queryOf('action')}
          options={[['', 'Any action'], ...actions.map((each) => [each, each] as const)]}
          onPick={(action) => setQuery({ action })}
        />
        {field('token_id', 'Token ID')}
        {field('object_id', 'Object ID')}
      </div>
      <Loaded from={entries} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title="No audit entries" />
          ) : (
            <>
              <Records
                label="Audit log"
                columns={columnsWith(nameOf)}
                rows={page.data}
                keyOf={({ id }) => id}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

const columnsWith = (nameOf: ReadonlyMap<string, string>): readonly Column<Entry>[] => [
  {
    name: 'Action',
    cell: ({ action }) => <Badge tone={action.endsWith('.refused') ? 'bad' : 'plain'}>{action}</Badge>,
  },
  { name: 'Object', cell: ({ object }) => <AuditObject id={object.id} name={nameOf.get(object.id ?? '')} /> },
  {
    name: 'Actor',
    cell: ({ actor: { id, type } }) => <AuditActor id={id} type={type} name={nameOf.get(id ?? '')} />,
  },
  { name: 'IP address', cell: ({ address }) => address ?? '–' },
  { name: 'Time', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  {
    name: 'Details',
    cell: ({ details, request_id }) => (
      <details>
        <summary>Show</summary>
        <pre tabIndex={0}>{JSON.stringify({ ...details, request_id }, null, 2)}</pre>
      </details>
    ),
  },
]

/** The object of an entry: links and webhooks as a link to their page, active tokens by name. */
function AuditObject({ id, name }: { id: string | null; name: string | undefined }) {
  if (id === null) return <>–</>
  const code = <code class="small-text">{id}</code>
  const path = pages[id.slice(0, id.indexOf('_'))]
  if (path !== undefined) return <A to={`${path}/${id}`}>{code}</A>
  return name === undefined ? code : <span title={id}>{name}</span>
}
const pages: Record<string, string> = { lnk: '/links', wh: '/webhooks' }

/** The token that acted, as a link to all of its entries. */
function AuditActor({ id, type, name }: { id: string | null; type: string; name: string | undefined }) {
  if (id === null) return <>{type.replaceAll('_', ' ')}</>
  return (
    <A to={`/settings/audit-log?token_id=${id}`} title={id}>
      {name ?? <code class="small-text">{id}</code>}
    </A>
  )
}
