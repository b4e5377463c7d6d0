/** The health checks of `doctor`, and the settings by group. */
import type { ResultOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { capitalize, plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Badge, PageHead, Section, Time } from '../../components/basics.js'
import { Sentence } from '../../components/sentence.js'
import { Loaded, RequireScope } from '../../components/states.js'
import { Processes } from './processes.js'
import { SettingGroups } from './setting-groups.js'

type Instance = ResultOf<'getInstance'>
type Finding = Instance['findings'][number]

export function Service() {
  return (
    <>
      <PageHead title="Service" lead="Health checks of the installation, and the settings of this process." />
      <RequireScope scope="instance:read">
        <InstancePage />
      </RequireScope>
    </>
  )
}

function InstancePage() {
  const instance = useResource('instance', (signal) => service.instance.get({ signal }))
  const checkButton = (
    <button type="button" class="small" onClick={instance.reload} disabled={instance.isLoading}>
      {instance.isLoading ? 'Checking…' : 'Run checks'}
    </button>
  )
  return (
    <Loaded from={instance} rows={10}>
      {({ version, checked_at, processes, settings, findings }) => (
        <>
          <Section title="Health checks" actions={checkButton}>
            <Problems findings={findings} />
            <p class="facts-line muted small-text">
              <b>Version {version}</b>
              <span>
                checked <Time at={checked_at} />
              </span>
            </p>
          </Section>
          <Processes processes={processes} />
          <div class="settings-head">
            <h2>Settings</h2>
            <p class="muted">Read at startup. To change one, set its variable and restart the service.</p>
          </div>
          <SettingGroups settings={settings} />
        </>
      )}
    </Loaded>
  )
}

/** The name of a setting, with or without a value. */
const settingName = /\b(?:[A-Z]+_[A-Z_]+|[A-Z]+(?==))(?:=\w+)?/g

const order: readonly Finding['status'][] = ['fail', 'warn']

/** The failed checks and warnings in full, and the passed checks on demand. */
function Problems({ findings }: { findings: Finding[] }) {
  const problems = order.flatMap((status) => findings.filter((each) => each.status === status))
  const passed = findings.filter(({ status }) => status === 'ok')
  return (
    <>
      {problems.length === 0 && <p class="callout good">All checks passed.</p>}
      {problems.map(({ name, status, message }) => (
        <div key={name} class={`callout problem ${status === 'fail' ? 'bad' : 'warn'}`}>
          <div class="row">
            <b>{formatCheckName(name)}</b>
            {status === 'fail' && <Badge tone="bad">failed</Badge>}
          </div>
          <Message text={message} />
        </div>
      ))}
      <details>
        <summary>{plural(passed.length, 'check')} passed</summary>
        <dl class="facts passed">
          {passed.map(({ name, message }) => [
            <dt key={name}>{formatCheckName(name)}</dt>,
            <dd key={`${name} message`}>
              <Message text={message} />
            </dd>,
          ])}
        </dl>
      </details>
    </>
  )
}

/** The result of a check, with the names of settings as code. */
function Message({ text }: { text: string }) {
  return (
    <span>
      <Sentence text={text.replace(settingName, '`$&`')} />
    </span>
  )
}

function formatCheckName(check: string): string {
  return capitalize(check.replaceAll('_', ' '))
}
