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
import { Empty, Loaded, Needs } from '../../components/states.js'

type Entry = ItemOf<'listAuditEntries'>

/** An object, so that the compiler finds an action that is missing here. */
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

/** The page of the audit log: who did what, when, and from where. */
export function AuditLog() {
  return (
    <>
      <PageHead title="Audit log" lead="Who did what, when, and from where. Entries cannot be changed." />
      <Needs scope="audit:read">
        <Entries />
      </Needs>
    </>
  )
}

const names = ['action', 'token_id', 'object_id']

function Entries() {
  const filters = Object.fromEntries(
    names.flatMap((name) => (place.value.query.get(name) ? [[name, queryOf(name)]] : [])),
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
        {field('token_id', 'Token id')}
        {field('object_id', 'Object id')}
      </div>
      <Loaded from={entries} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title="Nothing is recorded here" />
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
    name: 'What',
    cell: ({ action }) => <Badge tone={action.endsWith('.refused') ? 'bad' : 'plain'}>{action}</Badge>,
  },
  { name: 'Which', cell: ({ object }) => <Which id={object.id} name={nameOf.get(object.id ?? '')} /> },
  { name: 'Who', cell: ({ actor: { id, type } }) => <Who id={id} type={type} name={nameOf.get(id ?? '')} /> },
  { name: 'From', cell: ({ address }) => address ?? '–' },
  { name: 'When', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
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

/** The object of an entry: links and webhooks lead to their page, and a valid token shows its name. */
function Which({ id, name }: { id: string | null; name: string | undefined }) {
  if (id === null) return <>–</>
  const code = <code class="small-text">{id}</code>
  const folder = pages[id.slice(0, id.indexOf('_'))]
  if (folder !== undefined) return <A to={`${folder}/${id}`}>{code}</A>
  return name === undefined ? code : <span title={id}>{name}</span>
}
const pages: Record<string, string> = { lnk: '/links', wh: '/webhooks' }

/** The token that acted, which leads to all entries of that token. */
function Who({ id, type, name }: { id: string | null; type: string; name: string | undefined }) {
  if (id === null) return <>{type.replaceAll('_', ' ')}</>
  return (
    <A to={`/settings/audit-log?token_id=${id}`} title={id}>
      {name ?? <code class="small-text">{id}</code>}
    </A>
  )
}
