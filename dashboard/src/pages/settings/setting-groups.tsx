/** The settings of the process. Defaults are collapsed, by group. */
import type { ResultOf } from '@link-service/client'

import { plural } from '../../app/format.js'
import { Section } from '../../components/basics.js'
import { Icon } from '../../components/icon.js'
import { Sentence } from '../../components/sentence.js'

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

/** The changed settings, and the defaults in a part that is collapsed at first. */
export function SettingGroups({ settings }: { settings: readonly Setting[] }) {
  const names = Object.keys(groups)
  const ordered = [...settings].sort((a, b) => names.indexOf(a.group) - names.indexOf(b.group))
  const changed = ordered.filter(({ source }) => source !== 'default')
  const defaults = ordered.filter(({ source }) => source === 'default')
  return (
    <>
      {changed.length > 0 && (
        <Section title="Changed settings">
          <List settings={changed} />
        </Section>
      )}
      <Section title="Defaults">
        <details>
          <summary>Show {plural(defaults.length, 'setting')}</summary>
          {Object.entries(groups).map(([group, title]) => (
            <Group key={group} title={title} settings={defaults.filter((each) => each.group === group)} />
          ))}
        </details>
      </Section>
    </>
  )
}

function Group({ title, settings }: { title: string; settings: readonly Setting[] }) {
  if (settings.length === 0) return null
  return (
    <section class="setting-group" aria-label={title}>
      <h3>{title}</h3>
      <List settings={settings} />
    </section>
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
          <p class="muted small-text">
            <Sentence text={setting.description} />
          </p>
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
