/** What the service runs with, where each setting comes from, and what doctor says. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Badge, PageHead, Section, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Loaded, Needs, NotOffered } from '../../components/states.js'

type Instance = ResultOf<'getInstance'>
type Finding = Instance['findings'][number]
type Setting = Instance['settings'][number]

export function Service() {
  return (
    <>
      <PageHead
        title="Service"
        lead="What the process that answers runs with, where each setting comes from, and what doctor finds."
      />
      <Needs scope="instance:read">
        <Settings />
      </Needs>
    </>
  )
}

function Settings() {
  const instance = useResource('instance', (signal) => service.instance.get({ signal }))
  const again = (
    <button type="button" onClick={instance.reload} disabled={instance.isLoading}>
      {instance.isLoading ? 'Looking …' : 'Look again'}
    </button>
  )
  return (
    <Loaded from={instance} absent={<NotOffered what="its settings" />} rows={10}>
      {({ version, examined_at, settings, findings }) => (
        <>
          <Section title="What doctor finds" actions={again}>
            <p>
              {verdictOf(findings)} <span class="muted small-text">Version {version}, looked at</span>{' '}
              <span class="muted small-text">
                <Time at={examined_at} />
              </span>
            </p>
            <Records
              label="What doctor finds"
              columns={findingColumns}
              rows={[...findings].sort(worstFirst)}
              keyOf={({ name }) => name}
            />
          </Section>
          <Section title="Settings">
            <Records label="Settings" columns={settingColumns} rows={settings} keyOf={({ name }) => name} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const tones: Record<Finding['status'], Tone> = { ok: 'good', warn: 'warn', fail: 'bad' }
const words: Record<Finding['status'], string> = { ok: 'well', warn: 'look', fail: 'broken' }
const order: readonly Finding['status'][] = ['fail', 'warn', 'ok']

const worstFirst = (one: Finding, other: Finding) => order.indexOf(one.status) - order.indexOf(other.status)

function verdictOf(findings: Finding[]): string {
  const [failed, warned] = (['fail', 'warn'] as const).map(
    (status) => findings.filter((each) => each.status === status).length,
  ) as [number, number]
  if (failed > 0) return `${plural(failed, 'thing is', 'things are')} broken.`
  return warned > 0 ? `${plural(warned, 'thing deserves', 'things deserve')} a look.` : 'All is well.'
}

const sources: Record<Setting['source'], string> = {
  environment: 'environment',
  env_file: '.env file',
  command_line: 'command',
  data_folder: 'data folder',
  default: 'default',
}

function Value({ of: { value, secret, is_set } }: { of: Setting }) {
  if (secret) return <span class="muted">{is_set ? '•••••••• (secret)' : 'not set'}</span>
  return value === null ? <span class="muted">not set</span> : <code class="break">{value}</code>
}

const findingColumns: readonly Column<Finding>[] = [
  { name: 'Check', class: 'nowrap', cell: ({ name }) => name.replaceAll('_', ' ') },
  { name: 'State', cell: ({ status }) => <Badge tone={tones[status]}>{words[status]}</Badge> },
  { name: 'Finding', class: 'sentence', cell: ({ message }) => message },
]

const settingColumns: readonly Column<Setting>[] = [
  { name: 'Name', class: 'nowrap', cell: ({ name }) => <code>{name}</code> },
  { name: 'Value', class: 'setting', cell: (setting) => <Value of={setting} /> },
  {
    name: 'From',
    class: 'nowrap',
    cell: ({ source }) => <Badge tone={source === 'default' ? 'plain' : 'accent'}>{sources[source]}</Badge>,
  },
  {
    name: 'What it is',
    class: 'sentence muted',
    cell: ({ description }) => description.replaceAll('`', ''),
  },
]
