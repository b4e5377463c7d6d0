/** The feed of events, newest first. */
import type { QueryOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { A, PageHead, Table, Time } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, Needs } from '../../components/states.js'
import { useEventTypes } from '../webhooks/event-picker.js'

export function Events() {
  return (
    <>
      <PageHead title="Events" lead="What has happened, and what webhooks are told." />
      <Needs scope="events:read">
        <Feed />
      </Needs>
    </>
  )
}

const names = ['type', 'link_id']

function Feed() {
  const types = useEventTypes()
  const filters = Object.fromEntries(
    names.flatMap((name) => (place.value.query.get(name) ? [[name, queryOf(name)]] : [])),
  ) as Omit<QueryOf<'listEvents'>, 'after'>
  const events = usePages(
    `events ${JSON.stringify(filters)}`,
    (cursor, signal) => service.events.list({ ...filters, limit: 50 }, { signal }).page(cursor),
    { everyMs: 10_000 },
  )
  return (
    <>
      <div class="filters">
        <Select
          label="Type"
          value={queryOf('type')}
          options={[['', 'Any type'], ...(types.data ?? []).map(({ name }) => [name, name] as const)]}
          onPick={(type) => setQuery({ type })}
        />
        <input
          key={queryOf('link_id')}
          data-search=""
          aria-label="Link id"
          placeholder="Link id"
          defaultValue={queryOf('link_id')}
          onChange={(event) => setQuery({ link_id: event.currentTarget.value.trim() })}
        />
      </div>
      <Loaded from={events} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty title="No events">
              Links that are made, changed or deleted make events, and clicks where a webhook wants them.
            </Empty>
          ) : (
            <>
              <Table label="Events" head={['Event', 'About', 'When', 'Id']}>
                {page.data.map((event) => (
                  <tr key={event.id}>
                    <td>
                      <A row to={`/events/${event.id}`}>
                        {event.type}
                      </A>
                    </td>
                    <td>
                      <span class="clip">{aboutOf(event.data)}</span>
                    </td>
                    <td>
                      <Time at={event.timestamp} />
                    </td>
                    <td>
                      <code class="small-text">{event.id}</code>
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

function aboutOf(data: object): string {
  const { link, webhook, message } = data as {
    link?: { slug: string }
    webhook?: { url: string }
    message?: string
  }
  return link ? `/${link.slug}` : (webhook?.url ?? message ?? '–')
}
