/** Finds the URL and the token of a command: in its options, the environment, a profile, or the running service. */
import { readFileSync } from 'node:fs'

import { UsageError } from '../../platform/config/startup-error.js'
import { environment, localApiUrl } from '../../platform/config/env.js'
import { commandText } from '../../platform/util/program.js'
import { defaultProfile, readProfile } from './profile.js'
import type { Profile } from './profile.js'

export interface ApiAccess {
  url?: string | undefined
  token?: string | undefined
  tokenFile?: string | undefined
  profile?: string | undefined
}

export function findAccess(access: ApiAccess): Profile {
  const profile = getProfile(access)
  // A profile that is named in the command takes precedence over the environment.
  const env = access.profile === undefined ? environment() : {}
  const inEnvironment = env['LINK_SERVICE_URL']?.trim() || undefined
  const ownToken = access.token ?? tokenInFile(access) ?? (env['LINK_SERVICE_TOKEN']?.trim() || undefined)
  const url = access.url ?? inEnvironment ?? profile?.url ?? localApiUrl()
  const source = access.url !== undefined ? '--url' : 'LINK_SERVICE_URL'
  const found = requireApiUrl(url, source)
  if (ownToken !== undefined || !profile) return { url: found.href, token: requireToken(ownToken) }
  // Never send a token to a host other than the one it was saved for. `localhost` may be another service than 127.0.0.1.
  if (found.origin !== new URL(profile.url).origin)
    throw new UsageError(
      `The saved profile is for ${new URL(profile.url).origin}, not for ${found.origin}. ${access.url !== undefined ? 'Omit --url' : 'Unset LINK_SERVICE_URL'} to use the profile. For another service, set LINK_SERVICE_TOKEN or use --token-file.`,
    )
  return { url: found.href, token: profile.token }
}

function getProfile(access: ApiAccess): Profile | null {
  const { profile: name } = access
  // A token from elsewhere must not be sent to the host of the default profile, which may also be unreadable.
  if (name === undefined && hasOwnToken(access)) return null
  const profile = readProfile(name ?? defaultProfile)
  if (!profile && name !== undefined)
    throw new UsageError(
      `There is no profile "${name}". Create it: ${commandText(`login --profile ${name}`)}`,
    )
  return profile
}

export function requireApiUrl(text: string, source: string): URL {
  const url = requireUrl(text, source, 'http://localhost:3000/api')
  if (url.search || url.hash) throw new UsageError(`${source} takes a URL without a query or fragment.`)
  return url
}

export function requireUrl(text: string, source: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${source} takes a complete URL that starts with http, such as ${example}.`)
  if (url.username || url.password)
    throw new UsageError(`${source} takes a URL without a user name or password.`)
  return url
}

function hasOwnToken({ token, tokenFile }: ApiAccess): boolean {
  return (
    token !== undefined || tokenFile !== undefined || Boolean(environment()['LINK_SERVICE_TOKEN']?.trim())
  )
}

function tokenInFile({ tokenFile }: ApiAccess): string | undefined {
  return tokenFile === undefined ? undefined : readSecretLine('--token-file', tokenFile)
}

/** The error does not mention `--token`, whose value is visible to all users of the machine. */
export function requireToken(token: string | undefined): string {
  if (!token)
    throw new UsageError(
      `This command needs a token: set LINK_SERVICE_TOKEN in the environment, save one with "${commandText('login')}", or use --token-file.`,
    )
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('The value is not a token. Copy the whole token, without spaces.')
  return token
}

/** Reads a file whose only line is a secret. */
export function readSecretLine(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${option} could not be read: ${(error as Error).message}`)
  }
}
