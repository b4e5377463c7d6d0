/** Parses NOTICES, the notice targets of the operator. */
import { parseUrl } from '../util/parse-url.js'
import type { Rule } from './setting.js'

export interface MailServer {
  host: string
  port: number
  /** TLS from the start. Otherwise STARTTLS is required, except on this machine. */
  secure: boolean
  user: string | null
  password: string | null
  from: string
}

export type NoticeAddress =
  { type: 'slack' | 'discord'; address: string } | { type: 'email'; address: string }

export interface OperatorNotices {
  targets: readonly NoticeAddress[]
  /** The server for all email, including to addresses that a workspace adds. Null if NOTICES has none. */
  mail: MailServer | null
}

/** A comma separates targets only before a known scheme, because an smtp URL can contain a list of addresses. */
const separator = /\s*,\s*(?=(?:slack|discord|smtps?):)/
const address = /^[^\s@<>,;"\\]+@[^\s@<>,;"\\]+$/
const example =
  'must be a list such as slack:https://hooks.slack.com/…, discord:https://discord.com/api/webhooks/… or smtp://user:password@mail.example.com:587/?from=links@example.com&to=ops@example.com'

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && address.test(text) && !/\p{Cc}/u.test(text)
}

/** Messages must not contain the value, which is secret. */
export const noticeTargets: Rule<OperatorNotices> = (value) => {
  const targets: NoticeAddress[] = []
  let mail: MailServer | null = null
  for (const part of value.trim().split(separator)) {
    const [, scheme, rest = ''] = /^(slack|discord|smtps?):(.*)$/.exec(part) ?? []
    if (scheme === undefined) throw new Error(example)
    if (scheme === 'slack' || scheme === 'discord') {
      if (!/^https?:\/\//.test(rest) || !parseUrl(rest)) throw new Error(example)
      targets.push({ type: scheme, address: rest })
    } else {
      if (mail) throw new Error('must have at most one smtp server; separate recipients in "to" by commas')
      const parsed = parseMail(part)
      mail = parsed.server
      targets.push(...parsed.to.map((to) => ({ type: 'email' as const, address: to })))
    }
  }
  return { targets, mail }
}

function parseMail(text: string): { server: MailServer; to: string[] } {
  const url = URL.parse(text)
  const from = url?.searchParams.get('from') ?? ''
  const to = (url?.searchParams.get('to') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const isKnown = [...(url?.searchParams.keys() ?? [])].every((name) => name === 'from' || name === 'to')
  if (!url?.hostname || !isKnown || ![from, ...to].every(isMailAddress)) throw new Error(example)
  const secure = url.protocol === 'smtps:'
  const server = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    user: decode(url.username) || null,
    password: decode(url.password) || null,
    from,
  }
  return { server, to }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('must have a percent-encoded user name and password')
  }
}

/** Events that can cause notices: those that concern the service itself. */
export const noticeTypes = [
  'webhook.failing',
  'webhook.disabled',
  'webhook.recovered',
  'token.expiring',
  'token.created',
  'token.revoked',
  'import.finished',
] as const
export type NoticeType = (typeof noticeTypes)[number]

export const defaultNoticeTypes: readonly NoticeType[] = noticeTypes.slice(0, 4)

export const noticeTypeList: Rule<NoticeType[]> = (value) => {
  const known: readonly string[] = noticeTypes
  const names = value.split(',').map((name) => name.trim())
  if (!names.every((name) => known.includes(name)))
    throw new Error(`must be a list of ${noticeTypes.join(', ')}`)
  return names as NoticeType[]
}
