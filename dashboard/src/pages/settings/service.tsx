/** What the service runs with, where each setting comes from, and what doctor says. */
import { getInstance } from '../../api/instance.js'
import type { Finding } from '../../api/instance.js'
import { useResource } from '../../app/resource.js'
import { Badge, PageHead, Section, Table } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Empty, Loaded, Needs, NotOffered } from '../../components/states.js'

export function Service() {
  return (
    <>
      <PageHead title="Service" lead="Effective settings and where each comes from. Secrets are masked." />
      <Needs scope="instance:read">
        <Instance />
      </Needs>
    </>
  )
}

const tones: Record<string, Tone> = { ok: 'good', warning: 'warn', error: 'bad', failed: 'bad' }

function Instance() {
  const instance = useResource('instance', getInstance)
  return (
    <Loaded from={instance} absent={<NotOffered what="its settings" />}>
      {({ version, settings, findings }) => (
        <>
          <Section title="What doctor says">
            {findings.length === 0 ? (
              <Empty title="Nothing to do" />
            ) : (
              findings.map((finding) => <OneFinding key={finding.title} finding={finding} />)
            )}
          </Section>
          <Section title={version === null ? 'Settings' : `Settings of version ${version}`}>
            <Table label="Settings" head={['Name', 'Value', 'From']}>
              {settings.map(({ name, value, source, description }) => (
                <tr key={name}>
                  <td>
                    <code title={description}>{name}</code>
                  </td>
                  <td>
                    <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
                  </td>
                  <td>{source}</td>
                </tr>
              ))}
            </Table>
          </Section>
        </>
      )}
    </Loaded>
  )
}

function OneFinding({ finding: { status, title, detail, remedy } }: { finding: Finding }) {
  return (
    <div>
      <Badge tone={tones[status] ?? 'plain'}>{status}</Badge> <b>{title}</b>
      {detail && <p>{detail}</p>}
      {remedy && <p class="muted">{remedy}</p>}
    </div>
  )
}
