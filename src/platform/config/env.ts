/** The only file that reads settings from the environment. They are declared in `all-settings.ts`. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

import { declared } from './all-settings.js'
import { mostRequests } from './rules.js'
import type { Rate, Setting } from './rules.js'
import { StartupError } from './startup-error.js'

type DeclaredSettings = typeof declared
type ReadSettings = {
  [K in keyof DeclaredSettings]: DeclaredSettings[K] extends Setting<infer T> ? T : never
}

/** What the rest of the program sees. The secrets are filled in once the data folder is known to be usable. */
export interface Settings extends Omit<ReadSettings, 'publicUrl' | 'shortUrlBase'> {
  publicUrl: string
  shortUrlBase: string
  written: WrittenSettings
}

/** Where each setting comes from, by its name; absent when it is not set. */
type WrittenSettings = Readonly<Record<string, { text: string; source: 'environment' | 'env_file' }>>

export const settingsInOrder: readonly Setting<unknown>[] = Object.values(declared)

type Environment = Readonly<Record<string, string | undefined>>

/** The process environment, which wins over a `.env` file in the working folder. */
export function environment(): Environment {
  return { ...environmentFile(), ...process.env }
}

/** The address of the API for commands that are given none: where a service with this environment would be. */
export function apiAddress(): string {
  const env = environment()
  return (
    env['LINK_SERVICE_URL']?.trim() || `http://localhost:${usable(declared.port)}${usable(declared.basePath)}`
  )

  /** A wrong PORT or BASE_PATH stops the service, but not the commands that call it. They use the default. */
  function usable<T>({ name, rule, fallback }: Setting<T>): T {
    try {
      return rule(env[name]?.trim() || fallback!)
    } catch {
      return rule(fallback!)
    }
  }
}

function environmentFile(): Environment {
  const file = resolve('.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** The settings as a start reads them. */
export function readEnvironment(): Settings {
  return readSettings(process.env, environmentFile())
}

/** Reads all settings; when some are wrong, one error names every mistake. */
export function readSettings(given: Environment, file: Environment = {}): Settings {
  const env = { ...file, ...given }
  const mistakes: string[] = []
  const read = Object.fromEntries(
    Object.entries(declared).map(([key, { name, rule, fallback }]) => {
      const value = env[name]?.trim() || fallback
      if (value === null) return [key, null]
      try {
        return [key, rule(value)]
      } catch (error) {
        mistakes.push(`${name} ${(error as Error).message}`)
        return [key, null]
      }
    }),
  ) as ReadSettings

  if (env['DATABASE_URL']?.trim())
    for (const name of ['TOKEN_PEPPER', 'ENCRYPTION_KEY'])
      if (!env[name]?.trim())
        mistakes.push(`${name} is required with DATABASE_URL; make one with: openssl rand -base64 32`)

  if (mistakes.length > 0) throw new StartupError(`Wrong settings: ${mistakes.join('; ')}.`)
  const publicUrl = read.publicUrl ?? `http://localhost:${read.port}`
  return {
    ...read,
    publicUrl,
    shortUrlBase: read.shortUrlBase ?? publicUrl,
    workspaceRateLimit: env['WORKSPACE_RATE_LIMIT']?.trim()
      ? read.workspaceRateLimit
      : tenfold(read.rateLimit),
    written: Object.fromEntries(
      settingsInOrder.flatMap(({ name }) => {
        const text = env[name]?.trim()
        return text ? [[name, { text, source: given[name] === undefined ? 'env_file' : 'environment' }]] : []
      }),
    ),
  }
}

/** The default limit of a workspace follows that of tokens. Otherwise it would cut off what the operator allowed. */
function tenfold(rate: Rate | null): Rate | null {
  return rate && { ...rate, limit: Math.min(10 * rate.limit, mostRequests) }
}
