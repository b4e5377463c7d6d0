/** How commands call the API: with which token, at which address, and how they word its refusals. */
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

import { jsonOption } from '../../platform/command-line/command.js'
import { apiAddress, environment } from '../../platform/config/env.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { version } from '../../platform/util/version.js'
import { plainText } from '../../platform/util/plain-text.js'
import { exampleAddress, notTheApi, reasonOfNoAnswer, tokenRefused } from '../failed-calls.js'

/** The options of every command that calls the API. */
export const connectionOptions = {
  url: { value: 'URL', text: 'the address of the API; else LINK_SERVICE_URL, or that of this machine' },
  'token-file': { value: 'FILE', text: 'a file with the token; else LINK_SERVICE_TOKEN' },
  token: { value: 'TOKEN', text: 'the token itself, which every user of the machine can then see' },
  ...jsonOption,
} as const

interface ApiConnection {
  url?: string | undefined
  token?: string | undefined
  'token-file'?: string | undefined
}

/** The names of API fields and parameters on the command line, if they are not `--their-name`. */
type Words = Readonly<Record<string, string>>

const usualWords: Words = { url: 'URL', secret: '--secret-file' }

export async function withClient<T>(
  given: ApiConnection,
  work: (client: LinkService) => Promise<T>,
  words: Words = {},
): Promise<T> {
  const client = connect(given)
  try {
    return await work(client)
  } catch (error) {
    throw error instanceof LinkServiceError
      ? explained(error, client.baseUrl, { ...usualWords, ...words })
      : error
  }
}

function connect(given: ApiConnection): LinkService {
  const token = requireToken('This', givenToken(given))
  const source = given.url === undefined ? 'LINK_SERVICE_URL' : '--url'
  const { search, hash, href } = addressOf(given.url ?? apiAddress(), source, exampleAddress)
  if (search || hash) throw new UsageError(`${source} takes an address without a query and a fragment.`)
  return new LinkService({ baseUrl: href, token, userAgent: `link-service-command/${version}` })
}

/** Takes the token from an option, from a file or from the environment. */
export function givenToken({ token, 'token-file': file }: Omit<ApiConnection, 'url'>): string | undefined {
  const ofFile = file === undefined ? undefined : textOfFile('--token-file', file)
  return token ?? ofFile ?? environment()['LINK_SERVICE_TOKEN']?.trim()
}

/** The advice leaves out `--token`, because every user of the machine could see its value. */
export function requireToken(command: string, given: string | undefined): string {
  if (!given)
    throw new UsageError(
      `${command} needs a token: set LINK_SERVICE_TOKEN in the environment, or give --token-file.`,
    )
  if (!/^[\x21-\x7e]+$/.test(given)) throw new UsageError('What was given as the token is not a token.')
  return given
}

/** The address without `/v1`. People may give it with `/v1`, because the service prints it like that. */
export function apiAt(text: string, option: string): string {
  const { origin, pathname } = addressOf(text, option, exampleAddress)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

export function addressOf(text: string, option: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${option} takes a whole address that begins with http, such as ${example}.`)
  if (url.username || url.password)
    throw new UsageError(`${option} takes an address without user name and password.`)
  return url
}

/** Reads a file that holds a secret in its only line. */
export function textOfFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${option} could not be read: ${(error as Error).message}`)
  }
}

function explained(error: LinkServiceError, url: string, words: Words): StartupError {
  // The wrong value came as a word or an option of the command.
  return error instanceof ValidationError && error.code !== 'unexpected_answer'
    ? new UsageError(plainText(wrongWordsOf(error, words)))
    : new StartupError(plainText(sentenceOf(error, url)))
}

/** One line for each error, with the word or the option as it was typed. */
function wrongWordsOf({ errors, message }: ValidationError, words: Words): string {
  const lines = errors.map(({ pointer, parameter, detail }) => {
    const [name] = pointer?.split('/').slice(1) ?? [parameter]
    return name ? `${words[name] ?? `--${name.replaceAll('_', '-')}`}: ${detail}` : detail
  })
  return lines.length === 0 ? message : lines.join('\n')
}

function sentenceOf(error: LinkServiceError, url: string): string {
  if (error instanceof TimeoutError) return `The service at ${url} gave no answer in time.`
  if (error instanceof ConnectionError)
    return `The service at ${url} cannot be reached: ${reasonOfNoAnswer(error, new URL(url))}. Is that its address? Give --url.`
  if (error.code === 'unexpected_answer') return notTheApi(url, error.status, '--url')
  if (error instanceof UnauthorizedError) return tokenRefused(error.message)
  // A wrong base path leads here too. Most often it was left out.
  if (error instanceof NotFoundError) {
    const hint = new URL(url).pathname === '/' ? ` Is its address perhaps ${new URL('/api', url).href}?` : ''
    return `${error.message} Asked was ${url}, in the workspace of this token.${hint}`
  }
  return error.message
}
