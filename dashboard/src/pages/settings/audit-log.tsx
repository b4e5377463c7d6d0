import type { QueryOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { Badge, PageHead, Table, Time } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, Needs } from '../../components/states.js'

const actions = [
  'token.created',
  'token.rotated',
  'token.revoked',
  'token.refused',
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
              <Table label="Audit log" head={['When', 'What', 'Which', 'Who', 'From', 'Details']}>
                {page.data.map((entry) => (
                  <tr key={entry.id}>
                    <td>
                      <Time at={entry.occurred_at} />
                    </td>
                    <td>
                      <Badge tone={entry.action === 'token.refused' ? 'bad' : 'plain'}>{entry.action}</Badge>
                    </td>
                    <td>
                      <code class="small-text">{entry.object.id ?? '–'}</code>
                    </td>
                    <td>
                      <code class="small-text">{entry.actor.id ?? entry.actor.type}</code>
                    </td>
                    <td>{entry.address ?? '–'}</td>
                    <td>
                      <details>
                        <summary>Show</summary>
                        <pre tabIndex={0}>
                          {JSON.stringify({ ...entry.details, request_id: entry.request_id }, null, 2)}
                        </pre>
                      </details>
                    </td>
                  </tr>
                ))}
              </Table>
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
