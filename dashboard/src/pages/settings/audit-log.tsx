import type { ItemOf } from '@link-service/client'

import { apiUrl } from '../../api/api-url.js'
import { service } from '../../api/client.js'
import { navigate, place, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Badge, PageHead, Time } from '../../components/basics.js'
import { createdBounds, DateRange } from '../../components/date-range.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { AuditActor, AuditObject } from './audit-names.js'

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
  const filters = currentFilters()
  return (
    <>
      <PageHead title="Audit log" lead="Who did what, when, and from where. Entries cannot be changed.">
        {can('audit:read') && (
          <a class="button" href={apiUrl('/v1/audit-log/export', filters)} download="audit-log.csv">
            Export CSV
          </a>
        )}
      </PageHead>
      <RequireScope scope="audit:read">
        <Filters />
        <Entries filters={filters} />
      </RequireScope>
    </>
  )
}

type AuditFilters = {
  action?: Entry['action']
  token_id?: string
  object_id?: string
} & ReturnType<typeof createdBounds>

const filterNames = ['action', 'token_id', 'object_id'] as const

function currentFilters(): AuditFilters {
  const equal = filterNames.flatMap((name) => (queryOf(name) ? [[name, queryOf(name)]] : []))
  return { ...(Object.fromEntries(equal) as AuditFilters), ...createdBounds() }
}

function Filters() {
  const field = (name: string, label: string) => (
    <input
      key={queryOf(name)}
      aria-label={label}
      placeholder={label}
      defaultValue={queryOf(name)}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  )
  const isFiltered = [...filterNames, 'from', 'to'].some((name) => queryOf(name) !== '')
  return (
    <div class="filters">
      <Select
        label="Action"
        value={queryOf('action')}
        options={[['', 'Any action'], ...actions.map((each) => [each, each] as const)]}
        onPick={(action) => setQuery({ action })}
      />
      <DateRange />
      {field('token_id', 'Token ID')}
      {field('object_id', 'Object ID')}
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => navigate(place.value.path)}>
          Clear filters
        </button>
      )}
    </div>
  )
}

function Entries({ filters }: { filters: AuditFilters }) {
  const entries = usePages(`audit ${JSON.stringify(filters)}`, (cursor, signal) =>
    service.auditLog.list({ ...filters, limit: 50 }, { signal }).page(cursor),
  )
  return (
    <Loaded from={entries} rows={10}>
      {(page) =>
        page.data.length === 0 ? (
          <Empty title="No audit entries match these filters" />
        ) : (
          <>
            <Records label="Audit log" columns={columns} rows={page.data} keyOf={({ id }) => id} />
            <Pager page={page} />
          </>
        )
      }
    </Loaded>
  )
}

const columns: readonly Column<Entry>[] = [
  {
    name: 'Action',
    cell: ({ action }) => <Badge tone={action.endsWith('.refused') ? 'bad' : 'plain'}>{action}</Badge>,
  },
  { name: 'Object', cell: ({ object }) => <AuditObject object={object} /> },
  { name: 'Actor', cell: ({ actor }) => <AuditActor actor={actor} /> },
  { name: 'IP address', cell: ({ address }) => address ?? '–' },
  { name: 'Time', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { name: 'Details', cell: (entry) => <Details entry={entry} /> },
]

/** All facts of an entry, with the IDs of its object and actor. */
function Details({ entry: { object, actor, details, request_id } }: { entry: Entry }) {
  const facts = { ...details, object_id: object.id, actor_id: actor.id, request_id }
  return (
    <details>
      <summary>Show</summary>
      <pre tabIndex={0}>{JSON.stringify(facts, null, 2)}</pre>
    </details>
  )
}
