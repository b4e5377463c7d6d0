/** The only file that reads settings from the environment. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

import { allSettings } from '../../settings.js'
import type { Settings, WrittenSettings } from '../../settings.js'
import type { Declarations, Setting } from './setting.js'
import { createLocalApiUrl, readRunningService } from './running-service.js'
import { StartupError } from './startup-error.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the process environment, which overrides a `.env` file in the working directory. */
export function environment(): Environment {
  return { ...environmentFile(), ...process.env }
}

/**
 * Returns the API URL of the running service, or one with the configured port. Never guesses a port: another program
 * that listens there would receive the token of the command.
 */
export function localApiUrl(): string {
  const { host, port, basePath, dataDir } = allSettings
  const running = process.env[port.name] ? null : readRunningService(parseOrDefault(dataDir))
  if (running) return running.apiUrl
  if (!environment()[port.name]?.trim())
    throw new StartupError(
      `No service is running with the data folder ${parseOrDefault(dataDir)}. Set LINK_SERVICE_URL or use --url with the URL of the API, such as http://localhost:3000/api.`,
    )
  return createLocalApiUrl(parseOrDefault(host), parseOrDefault(port), parseOrDefault(basePath))
}

/** Returns the origin of the dashboard of an API. Browsers are signed in to the public URL of the running service. */
export function dashboardOrigin(apiUrl: string): string {
  const { origin } = new URL(apiUrl)
  const running = readRunningService(parseOrDefault(allSettings.dataDir))
  return running && comparableOrigin(running.apiUrl) === comparableOrigin(apiUrl) ? running.publicUrl : origin
}

/** Returns the origin with one name for this machine. Never decides where a token is sent: it may be another service. */
function comparableOrigin(text: string): string {
  const url = new URL(text)
  if (['127.0.0.1', '[::1]'].includes(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

/** An invalid PORT or BASE_PATH must not stop commands that call the service, so they use the default. */
function parseOrDefault<T>({ name, rule, fallback }: Setting<T>): T {
  const text = environment()[name]?.trim() || fallback!
  try {
    return rule(text)
  } catch {
    return rule(fallback!)
  }
}

/** Returns the settings with the public URL of the running service, unless PUBLIC_URL or PORT is set for this command. */
export function withRunningUrl(settings: Settings): Settings {
  const { publicUrl, port } = allSettings
  const { written, dataDir } = settings
  if (written[publicUrl.name] || written[port.name]?.source === 'environment') return settings
  return { ...settings, publicUrl: readRunningService(dataDir)?.publicUrl ?? settings.publicUrl }
}

function environmentFile(): Environment {
  const file = resolve('.env')
  if (!existsSync(file)) return {}
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartupError(
      `The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Check its owner and mode, or run the command in another folder.`,
    )
  }
}

/** Reads the settings of the service. */
export function readEnvironment(): Settings {
  return readSettings(process.env, environmentFile())
}

const declarations: Declarations = allSettings

/** Reads all settings. A single error lists every invalid one. */
export function readSettings(processEnv: Environment, file: Environment = {}): Settings {
  const errors: string[] = []
  const written = collectWritten(processEnv, file, errors)
  const values: Record<string, unknown> = {}
  for (const [key, { name, rule, fallback, derive }] of Object.entries(declarations)) {
    const text = written[name]?.text ?? fallback
    try {
      values[key] = text !== null ? rule(text) : derive ? derive(values as never) : null
    } catch (error) {
      errors.push(`${name} ${(error as Error).message}`)
    }
  }
  if (written['DATABASE_URL'])
    for (const { name, generated } of Object.values(declarations))
      if (generated && !written[name])
        errors.push(`${name} is required with DATABASE_URL; generate one with: openssl rand -base64 32`)
  if (written['DATABASE_DIRECT_URL'] && !written['DATABASE_URL'])
    errors.push('DATABASE_DIRECT_URL requires DATABASE_URL, the URL of the pooler')
  if (written['DATABASE_URL'] && written['BACKUP_DIR'])
    errors.push(
      'BACKUP_DIR works only with the embedded database; with DATABASE_URL, run `link-service backup` regularly instead',
    )

  if (errors.length > 0) throw new StartupError(`Invalid settings: ${errors.join('; ')}.`)
  return { ...(values as unknown as Settings), written }
}

function collectWritten(processEnv: Environment, file: Environment, errors: string[]): WrittenSettings {
  const env = { ...file, ...processEnv }
  const written: Record<string, WrittenSettings[string]> = {}
  for (const { name, secret } of Object.values(declarations)) {
    const fileName = secretFileSetting(name)
    const path = secret ? env[fileName]?.trim() : undefined
    let text = env[name]?.trim()
    if (path && text) errors.push(`${name} and ${fileName} are both set; remove one of them`)
    else if (path) text = readSecretFile(fileName, path, errors)
    const isInProcess = processEnv[name] !== undefined
    if (text) written[name] = { text, source: path ? 'file' : isInProcess ? 'environment' : 'env_file' }
  }
  return written
}

/** Returns the name of the setting for a file with the secret, such as one that Docker or Kubernetes mounts. */
export function secretFileSetting(name: string): string {
  return `${name}_FILE`
}

function readSecretFile(fileName: string, path: string, errors: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text === '') errors.push(`${fileName} is the path of an empty file; write the secret to it`)
    return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    errors.push(
      `${fileName} is the path of a file that cannot be read (${code}); check the path and the owner`,
    )
    return undefined
  }
}

export function requireSharedDatabase({ role, databaseUrl }: Settings): void {
  if (role === 'worker' && databaseUrl === null)
    throw new StartupError(
      'ROLE=worker requires DATABASE_URL: the embedded database serves one process. Set DATABASE_URL, or use ROLE=all.',
    )
}
