/** Sends one message to a target. Never throws: an error is returned as a message without secrets. */
import type { PeerCertificate } from 'node:tls'

import { Inject, Injectable } from '@nestjs/common'

import { explainTls, isTlsCode } from '../platform/outbound/explain-error.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import type { MailServer } from '../platform/config/notice-setting.js'
import { version } from '../platform/util/program.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { discordBody, formatMail, slackBody } from './notice-formats.js'
import type { Target } from './notice-targets.js'
import type { Notice } from './notice-texts.js'

const mailTimeoutMs = 10_000

@Injectable()
export class NoticeSender {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly client: OutboundClient,
  ) {}

  /** Returns null if the message was accepted, and otherwise the reason. */
  async send({ type, address }: Target, notice: Notice): Promise<string | null> {
    if (address === null)
      return 'The address cannot be decrypted, because ENCRYPTION_KEY has changed. Remove this target and add it again.'
    if (type === 'email') return this.sendMail(address, notice)
    return this.post(address, type === 'slack' ? slackBody(notice) : discordBody(notice))
  }

  private async post(url: string, body: string): Promise<string | null> {
    const headers = { 'content-type': 'application/json', 'user-agent': `link-service/${version}` }
    const { error, statusCode } = await this.client.send({ url, headers, body })
    // The destination of a redirect usually contains the address, which is secret.
    if (error?.class === 'redirect')
      return `The address redirects (${statusCode}), and redirects are not followed. Use the final address instead.`
    return error?.message ?? null
  }

  private async sendMail(to: string, notice: Notice): Promise<string | null> {
    const mail = this.settings.notices?.mail ?? null
    if (mail === null) return 'No mail server is configured. Ask the operator to set one in NOTICES.'
    // Loaded on demand, because few installations send email.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host: mail.host,
      port: mail.port,
      secure: mail.secure,
      requireTLS: !mail.secure && !isThisMachine(mail.host),
      ignoreTLS: isThisMachine(mail.host),
      ...(mail.user === null ? {} : { auth: { user: mail.user, pass: mail.password ?? '' } }),
      connectionTimeout: mailTimeoutMs,
      greetingTimeout: mailTimeoutMs,
      socketTimeout: mailTimeoutMs,
      dnsTimeout: mailTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        from: mail.from,
        to: { name: '', address: to },
        ...formatMail(notice),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return null
    } catch (error) {
      return explainMailError(error as MailError, mail)
    } finally {
      transport.close()
    }
  }
}

interface MailError extends Error {
  code?: string
  /** The code of the system or of TLS, which nodemailer replaces with its own. */
  originalCode?: string
  responseCode?: number
  /** Set by Node.js if the certificate is for another name. */
  cert?: PeerCertificate
}

/** Only codes, because the text of the server may contain addresses or credentials. */
function explainMailError(error: MailError, { host, port }: MailServer): string {
  const { code, originalCode = '', responseCode, cert } = error
  if (isTlsCode(originalCode)) {
    const { message } = explainTls({ ...error, code: originalCode }, host, port, cert)
    return `No email was sent, because the TLS connection to ${host}:${port} is not secure. ${message}`
  }
  if (code === 'EAUTH') return `The mail server ${host} rejected the user name or password.`
  if (code === 'ETLS') return `The mail server ${host} does not support STARTTLS, so no email was sent.`
  if (responseCode !== undefined) return `The mail server ${host} responded with ${responseCode}.`
  if (code === 'ETIMEDOUT') return `The mail server ${host} did not respond in time.`
  return `The mail server ${host}:${port} could not be reached.`
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
