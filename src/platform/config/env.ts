/** The only file that reads settings from the environment. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

import { platformSettings } from './platform-settings.js'
import type { Declarations, Setting } from './setting.js'
import type { Settings, SettingValues, WrittenSettings } from './settings.js'
import { StartupError } from './startup-error.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process environment, which wins over a `.env` file in the working folder. */
export function environment(): Environment {
  return { ...environmentFile(), ...process.env }
}

/** The address of the API for commands that are given none: where a service with this environment would be. */
export function apiAddress(): string {
  const env = environment()
  const { port, basePath } = platformSettings
  return env['LINK_SERVICE_URL']?.trim() || `http://localhost:${usable(port)}${usable(basePath)}`

  /** A wrong PORT or BASE_PATH stops the service, but not the commands that call it. They use the default. */
  function usable<T>({ name, rule, fallback }: Setting<T>): T {
    try {
      return rule(env[name]?.trim() || fallback!)
    } catch {
      return rule(fallback!)
    }
  }
}

export function environmentFile(): Environment {
  const file = resolve('.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** Reads all settings; when some are wrong, one error names every mistake. */
export function readSettings(
  declarations: Declarations,
  given: Environment,
  file: Environment = {},
): Settings {
  const written = writtenIn(declarations, given, file)
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, { name, rule, fallback, follow }] of Object.entries(declarations)) {
    const text = written[name]?.text ?? fallback
    try {
      values[key] = text !== null ? rule(text) : follow ? follow(values as never) : null
    } catch (error) {
      mistakes.push(`${name} ${(error as Error).message}`)
    }
  }
  if (written['DATABASE_URL'])
    for (const { name, made } of Object.values(declarations))
      if (made && !written[name])
        mistakes.push(`${name} is required with DATABASE_URL; make one with: openssl rand -base64 32`)
  if (written['DATABASE_DIRECT_URL'] && !written['DATABASE_URL'])
    mistakes.push('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler')

  if (mistakes.length > 0) throw new StartupError(`Wrong settings: ${mistakes.join('; ')}.`)
  return { ...(values as unknown as SettingValues), declarations, written }
}

function writtenIn(declarations: Declarations, given: Environment, file: Environment): WrittenSettings {
  const env = { ...file, ...given }
  return Object.fromEntries(
    Object.values(declarations).flatMap(({ name }) => {
      const text = env[name]?.trim()
      return text ? [[name, { text, source: given[name] === undefined ? 'env_file' : 'environment' }]] : []
    }),
  )
}
