/** Lists the settings of the running process, with their values and sources. */
import { allSettings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { groupOfSetting } from './setting-groups.js'
import type { SettingGroup } from './setting-groups.js'
import type { Setting } from './setting.js'

export const settingSources = [
  'environment',
  'env_file',
  'file',
  'command_line',
  'data_folder',
  'default',
] as const

const maxShownLength = 500

export interface EffectiveSetting {
  name: string
  /** Null for secrets, and for settings without a value. */
  value: string | null
  isSet: boolean
  isSecret: boolean
  source: (typeof settingSources)[number]
  fallback: string | null
  sentence: string
  group: SettingGroup
}

export function effectiveSettings(settings: RunningSettings): EffectiveSetting[] {
  const values = settings as unknown as Readonly<Record<string, unknown>>
  return Object.entries<Setting<unknown>>(allSettings).map(([key, declared]) => {
    const { name, fallback, sentence, secret } = declared
    const text = declared.show?.(values[key] as never) ?? settings.written[name]?.text ?? fallback
    const isInFolder = declared.generated !== undefined || declared.inDataFolder === true
    const isGenerated = isInFolder && !settings.written[name] && Boolean(values[key])
    return {
      name,
      value: secret ? null : shortened(text),
      isSet: isGenerated || text !== null,
      isSecret: secret,
      source: isGenerated ? 'data_folder' : getSource(settings, name),
      fallback,
      sentence,
      group: groupOfSetting[key as keyof typeof allSettings],
    }
  })
}

/** Cuts a value that is too long to show, such as a `data:` URL. */
function shortened(text: string | null): string | null {
  return text !== null && text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

function getSource({ role, written }: RunningSettings, name: string): EffectiveSetting['source'] {
  const { text, source } = written[name] ?? { text: null, source: 'default' as const }
  const isCommand = name === 'ROLE' && role !== (text ?? 'all')
  return isCommand ? 'command_line' : source
}
