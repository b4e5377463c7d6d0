import type { ItemOf, QueryOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { Badge, PageHead, Time } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, Needs } from '../../components/states.js'

type Entry = ItemOf<'listAuditEntries'>

const actions = [
  'token.created',
  'token.rotated',
  'token.revoked',
  'token.refused',
  'session.created',
  'session.ended',
  'session.refused',
  'link.created',
  'link.updated',
  'link.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
]

/** Who did what, when, and from where. */
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
              <Records label="Audit log" columns={columns} rows={page.data} keyOf={({ id }) => id} />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

const columns: readonly Column<Entry>[] = [
  {
    name: 'What',
    cell: ({ action }) => <Badge tone={action.endsWith('.refused') ? 'bad' : 'plain'}>{action}</Badge>,
  },
  { name: 'Which', cell: ({ object }) => <code class="small-text">{object.id ?? '–'}</code> },
  { name: 'Who', cell: ({ actor }) => <code class="small-text">{actor.id ?? actor.type}</code> },
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
