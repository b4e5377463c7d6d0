/** The settings of the process by group. Defaults are collapsed. */
import type { ResultOf } from '@link-service/client'

import { plural } from '../../app/format.js'
import { Section } from '../../components/basics.js'
import { Icon } from '../../components/icon.js'

type Setting = ResultOf<'getInstance'>['settings'][number]

/** In the order of the page. */
const groups: Readonly<Record<Setting['group'], string>> = {
  network: 'Network',
  storage: 'Storage',
  privacy: 'Privacy',
  webhooks: 'Webhooks',
  limits: 'Limits',
  tokens: 'Tokens',
  process: 'Process',
  appearance: 'Appearance',
}

const sources: Readonly<Record<Setting['source'], string>> = {
  environment: 'environment',
  env_file: '.env file',
  file: 'file',
  command_line: 'command line',
  data_folder: 'data folder',
  default: 'default',
}

export function SettingGroups({
  settings,
  showsDefaults,
}: {
  settings: readonly Setting[]
  /** Whether the defaults are shown at first. */
  showsDefaults: boolean
}) {
  return (
    <div class="setting-groups">
      {Object.entries(groups).map(([group, title]) => (
        <Group
          key={group}
          title={title}
          settings={settings.filter((each) => each.group === group)}
          showsDefaults={showsDefaults}
        />
      ))}
    </div>
  )
}

function Group({
  title,
  settings,
  showsDefaults,
}: {
  title: string
  settings: readonly Setting[]
  showsDefaults: boolean
}) {
  const changed = settings.filter(({ source }) => source !== 'default')
  const defaults = settings.filter(({ source }) => source === 'default')
  return (
    <Section title={title}>
      {changed.length > 0 && <List settings={changed} />}
      {defaults.length > 0 && (
        <details open={showsDefaults}>
          <summary class="muted small-text">{plural(defaults.length, 'default')}</summary>
          <List settings={defaults} />
        </details>
      )}
    </Section>
  )
}

function List({ settings }: { settings: readonly Setting[] }) {
  return (
    <ul class="settings">
      {settings.map((setting) => (
        <li key={setting.name}>
          <code class="setting-name">{setting.name}</code>
          <div class="setting-value">
            <Value of={setting} />
          </div>
          <span class="setting-source muted small-text">{sources[setting.source]}</span>
          <p class="muted small-text">{setting.description.replaceAll('`', '')}</p>
        </li>
      ))}
    </ul>
  )
}

function Value({ of: { value, secret, is_set } }: { of: Setting }) {
  if (secret && is_set)
    return (
      <span class="set-secret">
        <Icon name="lock" /> Set
      </span>
    )
  if (secret) return <span class="muted">Not set</span>
  return value === null ? <span class="muted">Not set</span> : <code class="break">{value}</code>
}
