import { getHistory } from '../../api/many-links.js'
import type { HistoryEntry } from '../../api/many-links.js'
import { useResource } from '../../app/resource.js'
import { Section, Time } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, NotOffered } from '../../components/states.js'

/** The changes of a link: who changed it, and which fields. */
export function LinkHistory({ id }: { id: string }) {
  const history = useResource(`link history ${id}`, (signal) => getHistory(id, signal))
  return (
    <Section title="History of changes">
      <Loaded from={history} absent={<NotOffered what="the history of links" />}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No change is recorded" />
          ) : (
            <Records label="History of changes" columns={columns} rows={entries} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Section>
  )
}

const columns: readonly Column<HistoryEntry>[] = [
  { name: 'What', cell: ({ action }) => action.replace('link.', '') },
  { name: 'Fields', cell: ({ fields }) => fields.join(', ') || '–' },
  { name: 'When', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { name: 'Who', cell: ({ actor }) => <code>{actor.id ?? actor.type}</code> },
]
