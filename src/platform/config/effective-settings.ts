/** Shows people the settings that a process runs with: each as it would be written, and where it comes from. */
import { settingsInOrder } from './env.js'
import type { Rate } from './rules.js'
import type { RunningSettings } from './settings.js'

export const settingSources = ['environment', 'env_file', 'command_line', 'data_folder', 'default'] as const

export interface EffectiveSetting {
  name: string
  /** Null where nothing is set, and for every secret. */
  value: string | null
  isSet: boolean
  isSecret: boolean
  source: (typeof settingSources)[number]
  fallback: string | null
  sentence: string
}

export function effectiveSettings(settings: RunningSettings): EffectiveSetting[] {
  return settingsInOrder.map(({ name, fallback, sentence, secret }) => {
    const written = settings.written[name]
    const isMade = !written && (madeInDataFolder[name]?.(settings) ?? false)
    const text = derived[name]?.(settings) ?? written?.text ?? fallback
    return {
      name,
      value: secret ? null : text,
      isSet: isMade || text !== null,
      isSecret: secret,
      source: isMade ? 'data_folder' : sourceOf(settings, name),
      fallback,
      sentence,
    }
  })
}

/** Values that differ from the written text: defaults that follow from other settings, and converted texts. */
const derived: Readonly<Record<string, (settings: RunningSettings) => string>> = {
  DATA_DIR: ({ dataDir }) => dataDir,
  ROLE: ({ role }) => role,
  PUBLIC_URL: ({ publicUrl }) => publicUrl,
  SHORT_URL_BASE: ({ shortUrlBase }) => shortUrlBase,
  WORKSPACE_RATE_LIMIT: ({ workspaceRateLimit }) => rateText(workspaceRateLimit),
}

/** Secrets that the first start creates when none are given. */
const madeInDataFolder: Readonly<Record<string, (settings: RunningSettings) => boolean>> = {
  TOKEN_PEPPER: ({ tokenPepper }) => tokenPepper !== '',
  ENCRYPTION_KEY: ({ encryptionKey }) => encryptionKey !== '',
}

function sourceOf({ role, written }: RunningSettings, name: string): EffectiveSetting['source'] {
  const { text, source } = written[name] ?? { text: null, source: 'default' as const }
  const isCommand = name === 'ROLE' && role !== (text ?? 'all')
  return isCommand ? 'command_line' : source
}

function rateText(rate: Rate | null): string {
  if (rate === null) return 'off'
  const { limit, windowSeconds } = rate
  return windowSeconds % 60 === 0 ? `${limit}/${windowSeconds / 60}m` : `${limit}/${windowSeconds}s`
}
