import { apiUrl } from '../../api/api-url.js'
import { service } from '../../api/client.js'
import type { HistoryEntry } from '../../api/many-links.js'
import { getQueryParameter } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Moment, Section } from '../../components/basics.js'
import { createdBounds, DateRange } from '../../components/date-range.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded } from '../../components/states.js'
import { AuditActor } from '../settings/audit-names.js'

/** The changes of a link: who changed which fields. */
export function LinkHistory({ id }: { id: string }) {
  const bounds = createdBounds()
  const history = usePages(`link history ${id} ${JSON.stringify(bounds)}`, (cursor, signal) =>
    service.links.history(id, { ...bounds, limit: 50 }, { signal }).page(cursor),
  )
  const csvUrl = apiUrl('/v1/audit-log/export', { object_id: id, ...bounds })
  const hasDates = ['from', 'to'].some((name) => getQueryParameter(name) !== '')
  return (
    <Section
      title="Change history"
      class="medium"
      actions={
        can('audit:read') && (
          <a class="button small" href={csvUrl} download="link-history.csv">
            Export CSV
          </a>
        )
      }
    >
      {/* One page needs no filter. */}
      {(hasDates || getQueryParameter('cursor') !== '' || history.data?.has_more) && (
        <div class="filters">
          <DateRange />
        </div>
      )}
      <Loaded from={history}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title={hasDates ? 'No changes match these dates' : 'No changes recorded'} />
          ) : (
            <>
              <ol class="timeline">
                {page.data.map((entry) => (
                  <Change key={entry.id} entry={entry} />
                ))}
              </ol>
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function Change({ entry: { action, fields, actor, occurred_at: at } }: { entry: HistoryEntry }) {
  const verb = action.replace('link.', '')
  return (
    <li>
      <span>
        <AuditActor actor={actor} />{' '}
        {verb === 'updated' && fields.length > 0
          ? `changed ${fields.map(getChangedFieldLabel).join(', ')}`
          : `${verb} this link`}
      </span>
      <span class="muted small-text">
        <Moment at={at} />
      </span>
    </li>
  )
}

function getChangedFieldLabel(field: string): string {
  return { url: 'destination', external_id: 'external ID' }[field] ?? field.replaceAll('_', ' ')
}
