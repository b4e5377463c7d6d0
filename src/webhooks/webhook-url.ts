/** Which addresses a webhook may have. Names are not looked up here: that is done at every connection. */
import { Inject, Injectable } from '@nestjs/common'

import type { Settings } from '../settings.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { BodyPipe } from '../platform/http/input/input.pipe.js'
import { mayConnect, writtenAddresses } from '../platform/outbound/destination.js'
import { longestAddress, wholeAddress } from './webhook-fields.js'
import type { UpdateWebhook } from './webhook.dto.js'

/**
 * The "bad ports" of the WHATWG Fetch standard: services there (mail, shells, chat) may take a request for commands.
 * https://fetch.spec.whatwg.org/#port-blocking
 */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** This command fetches events and forwards them from its own machine, so the service reaches no private address. */
export const listenCommand = 'link-service listen --forward-to http://localhost:8080/hooks'

export type UrlRules = Pick<Settings, 'webhookAllowHttp' | 'webhookAllowedCidrs'>

export interface UrlFault {
  code: 'invalid_url' | 'too_long' | 'https_required' | 'blocked_port' | 'blocked_address'
  detail: string
}

/** Null for a valid URL, else what is wrong with it and what to write instead. */
export function faultOfWebhookUrl(value: unknown, rules: UrlRules): UrlFault | null {
  if (typeof value !== 'string' || !value.isWellFormed()) return invalid(`Write ${wholeAddress}.`)
  if (value.length > longestAddress)
    return { code: 'too_long', detail: `Write an address of at most ${longestAddress} characters.` }
  // Parsers drop these silently, so what is called would not be what was written.
  if (/[\s\p{Cc}]/u.test(value))
    return invalid('Write the address without spaces or control characters; a space is %20.')

  const url = URL.parse(value)
  const [, scheme, authority] = /^(https?):\/\/([^/?#]*)/i.exec(value) ?? []
  if (url?.protocol === 'http:' && !rules.webhookAllowHttp)
    return {
      code: 'https_required',
      detail: `Write ${wholeAddress}. ${forDevelopment(url, rules)}`,
    }
  // Other parsers do not end a host at a backslash: they would disagree about who is called.
  if (!url || !scheme || !authority || authority.includes('\\') || !url.hostname)
    return invalid(`Write ${wholeAddress}.`)
  if (authority.includes('@'))
    return invalid('Write the address without a user name or password; the signature shows who is calling.')
  if (value.includes('#')) return invalid('Write the address without a fragment (# and all after it).')
  return faultOfPlace(url, rules)
}

function faultOfPlace(url: URL, rules: UrlRules): UrlFault | null {
  if (url.port && badPorts.has(Number(url.port)))
    return {
      code: 'blocked_port',
      detail: `Write an address with another port than ${url.port}, which belongs to another protocol; 443 is usual.`,
    }
  if (isBlocked(url, rules))
    return {
      code: 'blocked_address',
      detail: `Write an address that the whole internet can reach: this one is private or reserved. ${forDevelopment(url, rules)}`,
    }
  return null
}

function isBlocked(url: URL, { webhookAllowedCidrs }: UrlRules): boolean {
  const addresses = writtenAddresses(url.hostname)
  return addresses !== null && !addresses.some((address) => mayConnect(address, webhookAllowedCidrs ?? []))
}

/** Most refused addresses are a developer's own machine, so the advice is for development. */
function forDevelopment(url: URL, rules: UrlRules): string {
  const settings = [
    ...(url.protocol === 'http:' && !rules.webhookAllowHttp ? ['WEBHOOK_ALLOW_HTTP=true'] : []),
    ...(isBlocked(url, rules) ? ['WEBHOOK_ALLOWED_CIDRS'] : []),
  ]
  return `For development, ${listenCommand} brings events to your machine; who runs this service can open such addresses with ${settings.join(' and ')}.`
}

function invalid(detail: string): UrlFault {
  return { code: 'invalid_url', detail }
}

/** Checks bodies with an address. A fault of the address is reported together with all other faults of the body. */
@Injectable()
export class WebhookBodyPipe extends BodyPipe {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    super()
  }

  protected override faultsOf = ({ url }: UpdateWebhook) => {
    const fault = typeof url === 'string' ? faultOfWebhookUrl(url, this.settings) : null
    return fault ? [{ pointer: '/url', ...fault }] : []
  }
}
