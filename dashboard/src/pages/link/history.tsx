import { getHistory } from '../../api/many-links.js'
import { useResource } from '../../app/resource.js'
import { Section, Table, Time } from '../../components/basics.js'
import { Empty, Loaded, NotOffered } from '../../components/states.js'

/** Who changed the link, and which of its fields. */
export function LinkHistory({ id }: { id: string }) {
  const history = useResource(`link history ${id}`, (signal) => getHistory(id, signal))
  return (
    <Section title="History of changes">
      <Loaded from={history} absent={<NotOffered what="the history of links" />}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No change is recorded" />
          ) : (
            <Table label="History of changes" head={['When', 'What', 'Fields', 'Who']}>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <Time at={entry.occurred_at} />
                  </td>
                  <td>{entry.action.replace('link.', '')}</td>
                  <td>{entry.fields.join(', ') || '–'}</td>
                  <td>
                    <code>{entry.actor.id ?? entry.actor.type}</code>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  )
}
