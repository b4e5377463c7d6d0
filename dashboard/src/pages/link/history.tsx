import { getHistory } from '../../api/many-links.js'
import type { HistoryEntry } from '../../api/many-links.js'
import { useResource } from '../../app/resource.js'
import { Section, Time } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Empty, Loaded, Unsupported } from '../../components/states.js'

/** The changes of a link: who changed which fields. */
export function LinkHistory({ id }: { id: string }) {
  const history = useResource(`link history ${id}`, (signal) => getHistory(id, signal))
  return (
    <Section title="Change history">
      <Loaded from={history} absent={<Unsupported what="link history" />}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No changes recorded" />
          ) : (
            <Records label="Change history" columns={columns} rows={entries} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Section>
  )
}

const columns: readonly Column<HistoryEntry>[] = [
  { name: 'Action', cell: ({ action }) => action.replace('link.', '') },
  { name: 'Fields', cell: ({ fields }) => fields.join(', ') || '–' },
  { name: 'Time', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { name: 'Actor', cell: ({ actor }) => <code>{actor.id ?? actor.type}</code> },
]
