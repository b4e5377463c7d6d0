/** Connects commands to the API: their options, the client, and the messages for failed requests. */
import { Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'
import {
  ConflictError,
  ConnectionError,
  LinkService,
  LinkServiceError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'
import type { ClientOptions } from '@link-service/client'

import { exampleText } from '../../platform/command-line/output.js'
import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import { plainText } from '../../platform/util/plain-text.js'
import { version } from '../../platform/util/program.js'
import { findAccess } from './api-access.js'
import type { ApiAccess } from './api-access.js'

const urlDescription =
  'URL of the API (default: LINK_SERVICE_URL, the profile, or the service on this machine)'
export const urlOption = new Option('--url <url>', urlDescription)
/** The option of `listen`, which also accepts its former name `--api`. */
export const apiOption = new Option('--api, --url <url>', urlDescription)
export const tokenFileOption = new Option(
  '--token-file <file>',
  'file with the token (default: LINK_SERVICE_TOKEN, or the profile)',
)
export const tokenOption = new Option(
  '--token <token>',
  'the token itself, visible to all users of this machine',
)

export const profileOption = new Option('--profile <name>', 'name of a saved profile (default: default)')

/** Adds the connection options and an example to a command. */
export function withConnection<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>, example: string) {
  return command
    .addOption(urlOption)
    .addOption(tokenFileOption)
    .addOption(tokenOption)
    .addOption(profileOption)
    .addHelpText('after', exampleText(example))
}

/** Command-line names of API fields and parameters whose option has another name. */
export type OptionNames = Readonly<Record<string, string>>

const defaultNames: OptionNames = { url: '<url>', secret: '--secret-file' }

/** Runs work with an API client. Converts API errors to errors with a message for the command line. */
export async function withClient<T>(
  access: ApiAccess,
  work: (client: LinkService) => Promise<T>,
  names: OptionNames = {},
): Promise<T> {
  const client = connect(access)
  try {
    return await work(client)
  } catch (error) {
    throw error instanceof LinkServiceError ? explain(error, client.baseUrl, names) : error
  }
}

export function connect(access: ApiAccess, options: ClientOptions = {}): LinkService {
  const { url, token } = findAccess(access)
  return new LinkService({ baseUrl: url, token, userAgent: `link-service-command/${version}`, ...options })
}

/** Converts an API error to a message for the command line. Removes control characters, because the text is remote. */
export function explain(error: LinkServiceError, url: string, names: OptionNames = {}): StartupError {
  // An argument or option of the command has an invalid value.
  if (error instanceof ValidationError && error.code !== 'unexpected_answer')
    return new UsageError(plainText(listRejectedValues(error, { ...defaultNames, ...names })))
  if (error instanceof ConflictError)
    return new StartupError(plainText(listRejectedValues(error, { ...defaultNames, ...names })))
  return new StartupError(plainText(describeConnectionError(error, url)))
}

/** Returns one line per rejected value, with its name on the command line. */
function listRejectedValues({ errors, message }: LinkServiceError, names: OptionNames): string {
  const lines = errors.map(({ pointer, parameter, detail }) => {
    const [name] = pointer?.split('/').slice(1) ?? [parameter]
    return name ? `${names[name] ?? `--${name.replaceAll('_', '-')}`}: ${detail}` : detail
  })
  return lines.length === 0 ? message : lines.join('\n')
}

function describeConnectionError(error: LinkServiceError, url: string): string {
  if (error instanceof TimeoutError) return `The service at ${url} did not respond in time.`
  if (error instanceof ConnectionError)
    return `The service at ${url} cannot be reached: ${networkReason(error, new URL(url))}. Check --url.`
  if (error.code === 'unexpected_answer')
    return `${url} responded with ${error.status}, but not like the API. Set --url to the URL of the API, such as http://localhost:3000/api.`
  if (error instanceof UnauthorizedError) return `The service rejects the token. ${error.message}`
  // The base path may be missing from the URL.
  if (error instanceof NotFoundError) {
    const hint = new URL(url).pathname === '/' ? ` Did you mean --url ${new URL('/api', url).href}?` : ''
    return `${error.message} The request was sent to ${url}, in the workspace of this token.${hint}`
  }
  return error.message
}

const reasons: Record<string, (url: URL) => string> = {
  ECONNREFUSED: (url) => `nothing listens on ${url.host}`,
  ENOTFOUND: (url) => `the host ${url.hostname} was not found`,
  EAI_AGAIN: (url) => `the name ${url.hostname} could not be resolved`,
  EHOSTUNREACH: (url) => `there is no route to ${url.hostname}`,
  ENETUNREACH: (url) => `there is no route to ${url.hostname}`,
  ECONNRESET: () => 'the connection was closed before the response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => 'the connection was closed before the response',
  EPIPE: () => 'the connection was closed before the response',
  UND_ERR_SOCKET: () => 'the connection was closed before the response',
  ETIMEDOUT: () => 'no response in time',
  UND_ERR_CONNECT_TIMEOUT: () => 'no response in time',
  TimeoutError: () => 'no response in time',
  HTTPParserError: () => 'the response is not HTTP',
}

export function networkReason(error: Error, url: URL): string {
  // The cause of the client's error is the error of `fetch`, whose own cause is the reason.
  if (error instanceof ConnectionError && !(error instanceof TimeoutError)) {
    const failed = error.cause as Error
    return networkReason(failed.cause instanceof Error ? failed.cause : failed, url)
  }
  const { code = '' } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? reasons[error.name]
  if (reason) return reason(url)
  if (/CERT|SELF_SIGNED|ISSUER/.test(code))
    return `the certificate of ${url.host} is not trusted (${code}); add its authority with NODE_EXTRA_CA_CERTS`
  if (/SSL|TLS|EPROTO/.test(code)) return `the TLS connection to ${url.host} failed (${code})`
  return `no response (${code || error.name})`
}
