import type { ItemOf } from '@link-service/client'
import { useEffect, useState } from 'preact/hooks'

import { apiUrl } from '../../api/api-url.js'
import { service } from '../../api/client.js'
import { listTokens } from '../../api/token-list.js'
import { useResource } from '../../app/resource.js'
import { getQueryParameter, navigate, place, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Moment, PageHead } from '../../components/basics.js'
import { createdBounds, DateRange } from '../../components/date-range.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { LinkFilter } from '../../lists/link-filter.js'
import { ListControls } from '../../lists/list-controls.js'
import type { ListColumn } from '../../lists/list.js'
import { List } from '../../lists/list.js'
import { EventType } from '../events/event-kind.js'
import type { ListedToken } from '../tokens/token-tree.js'
import { AuditEntryDialog } from './audit-entry.js'
import { AuditActor, auditActorName, AuditObject, auditObjectName } from './audit-names.js'

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
  'webhook.portal_link_created': true,
  'webhook.delivery_skipped': true,
  'notice_target.created': true,
  'notice_target.changed': true,
  'notice_target.deleted': true,
} satisfies Record<Entry['action'], true>)

export function AuditLog() {
  const filters = currentFilters()
  const tokens = useResource(can('tokens:read') ? 'tokens' : null, listTokens)
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
        <Filters tokens={tokens.data ?? []} />
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
  const equal = filterNames.flatMap((name) =>
    getQueryParameter(name) ? [[name, getQueryParameter(name)]] : [],
  )
  return { ...(Object.fromEntries(equal) as AuditFilters), ...createdBounds() }
}

function Filters({ tokens }: { tokens: readonly ListedToken[] }) {
  const field = (name: string, label: string, placeholder: string) => (
    <input
      key={getQueryParameter(name)}
      aria-label={label}
      placeholder={placeholder}
      defaultValue={getQueryParameter(name)}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  )
  const tokenId = getQueryParameter('token_id')
  const isFiltered = [...filterNames, 'from', 'to'].some((name) => getQueryParameter(name) !== '')
  return (
    <div class="filters">
      <Select
        label="Action"
        value={getQueryParameter('action')}
        options={[['', 'Any action'], ...actions.map((each) => [each, each] as const)]}
        onPick={(action) => setQuery({ action })}
      />
      {tokens.some(({ id }) => id === tokenId) || (tokens.length > 0 && tokenId === '') ? (
        <Select
          label="Token"
          value={tokenId}
          options={[
            ['', 'Any token'],
            ...tokens.map(({ id, name, last4 }) => [id, `${name} …${last4}`] as const),
          ]}
          onPick={(id) => setQuery({ token_id: id })}
        />
      ) : (
        field('token_id', 'Token ID', 'Token: tok_…')
      )}
      <DateRange />
      <LinkFilter name="object_id" label="Object" placeholder="Any object: /slug or ID" />
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => navigate(place.value.path)}>
          Clear filters
        </button>
      )}
      <ListControls name={listName} columns={columns} />
    </div>
  )
}

function Entries({ filters }: { filters: AuditFilters }) {
  const [opened, setOpened] = useState<Entry | null>(null)
  // The actor in the dialog is a link that changes the filters.
  useEffect(() => setOpened(null), [place.value])
  const entries = usePages(`audit ${JSON.stringify(filters)}`, (cursor, signal) =>
    service.auditLog.list({ ...filters, limit: 50 }, { signal }).page(cursor),
  )
  return (
    <>
      <Loaded from={entries} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title="No audit entries match these filters" />
          ) : (
            <>
              <List
                name={listName}
                label="Audit log"
                columns={columns}
                rows={page.data}
                getRowKey={({ id }) => id}
                onOpen={setOpened}
                summary={({ object, actor }) => `${auditObjectName(object)} by ${auditActorName(actor)}`}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
      {opened && <AuditEntryDialog entry={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

const listName = 'audit log'

const columns: readonly ListColumn<Entry>[] = [
  { name: 'Time', width: 168, cell: ({ occurred_at }) => <Moment at={occurred_at} /> },
  {
    name: 'Action',
    width: 240,
    narrowLine: 1,
    cell: ({ action }) => <EventType type={action} />,
  },
  { name: 'Object', cell: ({ object }) => <AuditObject object={object} /> },
  { name: 'Actor', cell: ({ actor }) => <AuditActor actor={actor} /> },
  {
    name: 'IP address',
    width: 150,
    isWide: true,
    title: ({ address }) => address ?? undefined,
    cell: ({ address }) => address ?? '–',
  },
]
