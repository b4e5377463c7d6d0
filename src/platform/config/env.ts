/** The only file that reads settings from the environment. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

import { allSettings } from '../../settings.js'
import type { Settings, WrittenSettings } from '../../settings.js'
import type { Declarations, Setting } from './setting.js'
import { StartupError } from './startup-error.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process environment, which wins over a `.env` file in the working folder. */
export function environment(): Environment {
  return { ...environmentFile(), ...process.env }
}

/** The address of the API for commands that are given none: where a service with this environment would be. */
export function apiAddress(): string {
  const env = environment()
  const { port, basePath } = allSettings
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

function environmentFile(): Environment {
  const file = resolve('.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** The settings as a start reads them. */
export function readEnvironment(): Settings {
  return readSettings(process.env, environmentFile())
}

const declarations: Declarations = allSettings

/** Reads all settings; when some are wrong, one error names every mistake. */
export function readSettings(given: Environment, file: Environment = {}): Settings {
  const mistakes: string[] = []
  const written = writtenIn(given, file, mistakes)
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
  return { ...(values as unknown as Settings), written }
}

function writtenIn(given: Environment, file: Environment, mistakes: string[]): WrittenSettings {
  const env = { ...file, ...given }
  const written: Record<string, WrittenSettings[string]> = {}
  for (const { name, secret } of Object.values(declarations)) {
    const fileName = secretFileSetting(name)
    const path = secret ? env[fileName]?.trim() : undefined
    let text = env[name]?.trim()
    if (path && text) mistakes.push(`${name} and ${fileName} are both set; remove one of them`)
    else if (path) text = readSecretFile(fileName, path, mistakes)
    const isGiven = given[path ? fileName : name] !== undefined
    if (text) written[name] = { text, source: isGiven ? 'environment' : 'env_file' }
  }
  return written
}

/** The setting with the path of a file that has the secret `name`, as Docker and Kubernetes mount secrets. */
export function secretFileSetting(name: string): string {
  return `${name}_FILE`
}

function readSecretFile(fileName: string, path: string, mistakes: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text === '') mistakes.push(`${fileName} names an empty file; write the secret into it`)
    return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    mistakes.push(`${fileName} names a file that cannot be read (${code}); check its path and its owner`)
    return undefined
  }
}

export function requireSharedDatabase({ role, databaseUrl }: Settings): void {
  if (role === 'worker' && databaseUrl === null)
    throw new StartupError(
      'A worker of its own needs DATABASE_URL: the embedded database belongs to one process. Set it, or start with ROLE=all.',
    )
}
