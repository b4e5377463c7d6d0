import { service } from '../../api/client.js'
import { apiUrl } from '../../api/api-url.js'
import type { HistoryEntry } from '../../api/many-links.js'
import { can } from '../../app/session.js'
import { Section, Time } from '../../components/basics.js'
import { createdBounds, DateRange } from '../../components/date-range.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, Unsupported } from '../../components/states.js'
import { ListControls } from '../../lists/list-controls.js'
import type { ListColumn } from '../../lists/list.js'
import { List } from '../../lists/list.js'
import { AuditActor } from '../settings/audit-names.js'

/** The changes of a link: who changed which fields. */
export function LinkHistory({ id }: { id: string }) {
  const bounds = createdBounds()
  const history = usePages(`link history ${id} ${JSON.stringify(bounds)}`, (cursor, signal) =>
    service.links.history(id, { ...bounds, limit: 50 }, { signal }).page(cursor),
  )
  const csvUrl = apiUrl('/v1/audit-log/export', { object_id: id, ...bounds })
  return (
    <Section
      title="Change history"
      actions={
        can('audit:read') && (
          <a class="button small" href={csvUrl} download="link-history.csv">
            Export CSV
          </a>
        )
      }
    >
      <div class="filters">
        <DateRange />
        <ListControls name={listName} columns={columns} />
      </div>
      <Loaded from={history} absent={<Unsupported what="link history" />}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title="No changes recorded" />
          ) : (
            <>
              <List
                name={listName}
                label="Change history"
                columns={columns}
                rows={page.data}
                keyOf={({ id }) => id}
                summary={({ actor }) => <AuditActor actor={actor} />}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

const listName = 'link history'

const columns: readonly ListColumn<HistoryEntry>[] = [
  {
    name: 'Change',
    title: ({ fields }) => fields.join(', ') || undefined,
    cell: ({ action, fields }) => (
      <>
        {action.replace('link.', '')} <span class="muted">{fields.join(', ')}</span>
      </>
    ),
  },
  { name: 'Actor', width: 240, cell: ({ actor }) => <AuditActor actor={actor} /> },
  { name: 'Time', width: 140, narrowLine: 2, cell: ({ occurred_at }) => <Time at={occurred_at} /> },
]
