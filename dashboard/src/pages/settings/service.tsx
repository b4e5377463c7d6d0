/** The effective settings, the source of each, and the checks of doctor. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Badge, PageHead, Section, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { Loaded, RequireScope, Unsupported } from '../../components/states.js'

type Instance = ResultOf<'getInstance'>
type Finding = Instance['findings'][number]
type Setting = Instance['settings'][number]

export function Service() {
  return (
    <>
      <PageHead
        title="Service"
        lead="Health checks of the installation, and the settings of this process with their sources."
      />
      <RequireScope scope="instance:read">
        <Settings />
      </RequireScope>
    </>
  )
}

function Settings() {
  const instance = useResource('instance', (signal) => service.instance.get({ signal }))
  const checkButton = (
    <button type="button" onClick={instance.reload} disabled={instance.isLoading}>
      {instance.isLoading ? 'Checking…' : 'Run checks'}
    </button>
  )
  return (
    <Loaded from={instance} absent={<Unsupported what="this page" />} rows={10}>
      {({ version, checked_at, settings, findings }) => (
        <>
          <Section title="Checks" actions={checkButton}>
            <p>
              {summaryOf(findings)} <span class="muted small-text">Version {version}, checked</span>{' '}
              <span class="muted small-text">
                <Time at={checked_at} />
              </span>
            </p>
            <Records
              label="Checks"
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
const labels: Record<Finding['status'], string> = { ok: 'passed', warn: 'warning', fail: 'failed' }
const order: readonly Finding['status'][] = ['fail', 'warn', 'ok']

const worstFirst = (a: Finding, b: Finding) => order.indexOf(a.status) - order.indexOf(b.status)

function summaryOf(findings: Finding[]): string {
  const [failed, warned] = (['fail', 'warn'] as const).map(
    (status) => findings.filter((each) => each.status === status).length,
  ) as [number, number]
  if (failed > 0) return `${plural(failed, 'check')} failed.`
  return warned > 0 ? `${plural(warned, 'warning')}.` : 'All checks passed.'
}

const sources: Record<Setting['source'], string> = {
  environment: 'environment',
  env_file: '.env file',
  command_line: 'command line',
  data_folder: 'data folder',
  default: 'default',
}

function Value({ of: { value, secret, is_set } }: { of: Setting }) {
  if (secret) return <span class="muted">{is_set ? '•••••••• (secret)' : 'not set'}</span>
  return value === null ? <span class="muted">not set</span> : <code class="break">{value}</code>
}

const findingColumns: readonly Column<Finding>[] = [
  { name: 'Check', class: 'nowrap', cell: ({ name }) => name.replaceAll('_', ' ') },
  { name: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{labels[status]}</Badge> },
  { name: 'Message', class: 'sentence', cell: ({ message }) => message },
]

const settingColumns: readonly Column<Setting>[] = [
  { name: 'Name', class: 'nowrap', cell: ({ name }) => <code>{name}</code> },
  { name: 'Value', class: 'setting', cell: (setting) => <Value of={setting} /> },
  {
    name: 'Source',
    class: 'nowrap',
    cell: ({ source }) => <Badge tone={source === 'default' ? 'plain' : 'accent'}>{sources[source]}</Badge>,
  },
  {
    name: 'Description',
    class: 'sentence muted',
    cell: ({ description }) => description.replaceAll('`', ''),
  },
]
