/** How commands call the API: their options, the client, and what they print when a call fails. */
import { readFileSync } from 'node:fs'

import {
  ConnectionError,
  LinkService,
  LinkServiceError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'
import type { ClientOptions } from '@link-service/client'
import { Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'

import { exampleText, jsonOption } from '../../platform/command-line/output.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { apiAddress, environment } from '../../platform/config/env.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { plainText } from '../../platform/util/plain-text.js'
import { version } from '../../platform/util/version.js'
import { networkReason } from './network-reason.js'

const aboutUrl = 'URL of the API (default: LINK_SERVICE_URL, or the service on this machine)'
export const urlOption = new Option('--url <url>', aboutUrl)
/** `listen` had `--api` before the other commands existed. */
export const apiOption = new Option('--api, --url <url>', aboutUrl)
export const tokenFileOption = new Option(
  '--token-file <file>',
  'file with the token (default: LINK_SERVICE_TOKEN)',
)
export const tokenOption = new Option(
  '--token <token>',
  'the token itself, visible to every user of the machine',
)

export interface ApiAccess {
  url?: string | undefined
  token?: string | undefined
  tokenFile?: string | undefined
}

/** Adds the options of a command that calls the API, and an example. */
export function withConnection<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>, example: string) {
  return command
    .addOption(urlOption)
    .addOption(tokenFileOption)
    .addOption(tokenOption)
    .addOption(jsonOption)
    .addHelpText('after', exampleText(example))
}

/** How API fields and parameters are named on the command line, if not `--their-name`. */
type Names = Readonly<Record<string, string>>

const usualNames: Names = { url: '<url>', secret: '--secret-file' }

/** Does one piece of work with the API. An error of the API becomes the line that the command prints. */
export async function withClient<T>(
  access: ApiAccess,
  work: (client: LinkService) => Promise<T>,
  names: Names = {},
): Promise<T> {
  const client = connect(access)
  try {
    return await work(client)
  } catch (error) {
    throw error instanceof LinkServiceError ? explain(error, client.baseUrl, names) : error
  }
}

export function connect(access: ApiAccess, options: ClientOptions = {}): LinkService {
  const token = requireToken(access)
  const source = access.url === undefined ? 'LINK_SERVICE_URL' : '--url'
  const { href, search, hash } = requireUrl(access.url ?? apiAddress(), source, 'http://localhost:3000/api')
  if (search || hash) throw new UsageError(`${source} takes a URL without a query and a fragment.`)
  return new LinkService({ baseUrl: href, token, userAgent: `link-service-command/${version}`, ...options })
}

/** The advice leaves out `--token`, because every user of the machine could see its value. */
function requireToken({ token: given, tokenFile }: ApiAccess): string {
  const inFile = tokenFile === undefined ? undefined : readSecretLine('--token-file', tokenFile)
  const token = given ?? inFile ?? environment()['LINK_SERVICE_TOKEN']?.trim()
  if (!token)
    throw new UsageError(
      'This command needs a token: set LINK_SERVICE_TOKEN in the environment, or give --token-file.',
    )
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('The given token is not a token.')
  return token
}

export function requireUrl(text: string, source: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${source} takes a whole URL that begins with http, such as ${example}.`)
  if (url.username || url.password)
    throw new UsageError(`${source} takes a URL without user name and password.`)
  return url
}

/** Reads a file that holds a secret in its only line. */
export function readSecretLine(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${option} could not be read: ${(error as Error).message}`)
  }
}

/** The line that a command prints for an error of the API. The service chose the text, so it is made harmless. */
export function explain(error: LinkServiceError, url: string, names: Names = {}): StartupError {
  // The wrong value was an argument or an option of the command.
  return error instanceof ValidationError && error.code !== 'unexpected_answer'
    ? new UsageError(plainText(wrongValues(error, { ...usualNames, ...names })))
    : new StartupError(plainText(reasonOf(error, url)))
}

/** One line for each wrong value, with its name on the command line. */
function wrongValues({ errors, message }: ValidationError, names: Names): string {
  const lines = errors.map(({ pointer, parameter, detail }) => {
    const [name] = pointer?.split('/').slice(1) ?? [parameter]
    return name ? `${names[name] ?? `--${name.replaceAll('_', '-')}`}: ${detail}` : detail
  })
  return lines.length === 0 ? message : lines.join('\n')
}

function reasonOf(error: LinkServiceError, url: string): string {
  if (error instanceof TimeoutError) return `The service at ${url} did not respond in time.`
  if (error instanceof ConnectionError)
    return `The service at ${url} cannot be reached: ${networkReason(error, new URL(url))}. Is that its URL? Give --url.`
  if (error.code === 'unexpected_answer')
    return `${url} answered ${error.status}, and not as the API does. Is --url its URL, such as http://localhost:3000/api?`
  if (error instanceof UnauthorizedError) return `The service rejects the token. ${error.message}`
  // A wrong base path ends here too. Most often it was left out.
  if (error instanceof NotFoundError) {
    const hint = new URL(url).pathname === '/' ? ` Is its URL perhaps ${new URL('/api', url).href}?` : ''
    return `${error.message} The call went to ${url}, in the workspace of this token.${hint}`
  }
  return error.message
}
