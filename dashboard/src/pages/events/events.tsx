/** The event feed, newest first. */
import type { ItemOf, QueryOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { getQueryParameter, place, setQuery } from '../../app/router.js'
import { A, PageHead, Time } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { Pager, SearchOlder, usePages } from '../../components/pager.js'
import { Sentence } from '../../components/sentence.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { LinkFilter } from '../../lists/link-filter.js'
import { ListControls } from '../../lists/list-controls.js'
import type { ListColumn } from '../../lists/list.js'
import { List } from '../../lists/list.js'
import { useEventTypes } from '../webhooks/event-picker.js'
import { describeEvent, EventType } from './event-kind.js'
import { getEventSubject, getSubjectName, SubjectLink } from './subject.js'

type FeedEvent = ItemOf<'listEvents'>

export function Events() {
  return (
    <>
      <PageHead title="Events" lead="Changes and clicks that webhooks can receive, newest first." />
      <RequireScope scope="events:read">
        <Feed />
      </RequireScope>
    </>
  )
}

const filterNames = ['type', 'link_id']

function Feed() {
  const types = useEventTypes()
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => (place.value.query.get(name) ? [[name, getQueryParameter(name)]] : [])),
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
          value={getQueryParameter('type')}
          options={[['', 'Any type'], ...(types.data ?? []).map(({ name }) => [name, name] as const)]}
          onPick={(type) => setQuery({ type })}
        />
        <LinkFilter name="link_id" label="Link" placeholder="Any link: /slug, URL or ID" />
        {Object.keys(filters).length > 0 && (
          <A class="button quiet" to="/events">
            Clear filters
          </A>
        )}
        <ListControls name={listName} columns={columns} />
      </div>
      <Loaded from={events} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <>
              {page.has_more ? (
                <SearchOlder page={page} what="events" />
              ) : (
                <NoEvents isFiltered={Object.keys(filters).length > 0} />
              )}
              <Pager page={page} />
            </>
          ) : (
            <>
              <List
                name={listName}
                label="Events"
                columns={columns}
                rows={page.data}
                getRowKey={({ id }) => id}
                summary={({ type, data }) =>
                  [getEventText(data), describeEvent(type, data)].filter(Boolean).join(' · ')
                }
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  const explanation =
    'Events are recorded when a link is created, updated or deleted. Clicks create events only while a webhook subscribes to them.'
  if (!isFiltered) return <Empty title="No events">{explanation}</Empty>
  return <Empty title="No events match these filters">{explanation}</Empty>
}

const listName = 'events'

const columns: readonly ListColumn<FeedEvent>[] = [
  {
    name: 'Event',
    width: 180,
    cell: ({ id, type }) => (
      <A row to={`/events/${id}`}>
        <EventType type={type} />
      </A>
    ),
  },
  {
    name: 'Subject',
    width: 240,
    title: ({ data }) => getEventText(data),
    cell: ({ data }) => <Subject data={data} />,
  },
  {
    name: 'Details',
    title: ({ type, data }) => describeEvent(type, data) || undefined,
    cell: ({ type, data }) => (
      <span class="muted">
        <Sentence text={describeEvent(type, data)} />
      </span>
    ),
  },
  { name: 'Time', width: 140, narrowLine: 2, cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    name: 'ID',
    width: 320,
    isWide: true,
    isHiddenAtFirst: true,
    title: ({ id }) => id,
    cell: ({ id }) => <code class="small-text">{id}</code>,
  },
]

/** The subject, or the message of a test. */
function getEventText(data: object): string {
  const subject = getEventSubject(data)
  return subject ? getSubjectName(subject) : ((data as { message?: string }).message ?? '–')
}

function Subject({ data }: { data: object }) {
  const subject = getEventSubject(data)
  return subject ? <SubjectLink subject={subject} /> : <>{getEventText(data)}</>
}
