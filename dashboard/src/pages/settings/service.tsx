/** What the service runs with, where each setting comes from, and what doctor says. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/service.js'
import { plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Badge, PageHead, Section, Table, Time } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
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
            <Table label="What doctor finds" head={['State', 'Of', 'Finding']}>
              {[...findings].sort(worstFirst).map(({ name, status, message }) => (
                <tr key={name}>
                  <td>
                    <Badge tone={tones[status]}>{words[status]}</Badge>
                  </td>
                  <td class="nowrap">{name.replaceAll('_', ' ')}</td>
                  <td class="sentence">{message}</td>
                </tr>
              ))}
            </Table>
          </Section>
          <Section title="Settings">
            <Table label="Settings" head={['Name', 'Value', 'From', 'What it is']}>
              {settings.map((setting) => (
                <tr key={setting.name}>
                  <td class="nowrap">
                    <code>{setting.name}</code>
                  </td>
                  <td class="setting">
                    <Value of={setting} />
                  </td>
                  <td class="nowrap">
                    <Badge tone={setting.source === 'default' ? 'plain' : 'accent'}>
                      {sources[setting.source]}
                    </Badge>
                  </td>
                  <td class="sentence muted">{setting.description.replaceAll('`', '')}</td>
                </tr>
              ))}
            </Table>
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
