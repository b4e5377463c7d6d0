/** An SMTP server that records the messages it accepts. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

import type { Certificate } from './certificates.js'

interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they were sent. */
  content: string
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  /** The user and whether TLS was used, for each attempt to log in. */
  logins: { user: string | undefined; isSecure: boolean }[]
  stop(): Promise<void>
}

interface MailServerOptions {
  /** Without a certificate, the server does not offer STARTTLS. */
  certificate?: Certificate
  /** TLS from the start. */
  isSecure?: boolean
  port?: number
}

/** Starts a server that would also accept a login without TLS. */
export async function startMailServer(
  login: { user: string; password: string },
  { certificate, isSecure = false, port = 0 }: MailServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const logins: MailServer['logins'] = []
  const server = new SMTPServer({
    ...certificate,
    secure: isSecure,
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: certificate ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, session, done) => {
      logins.push({ user: username, isSecure: session.secure })
      const isKnown = username === login.user && password === login.password
      done(isKnown ? null : new Error('wrong password'), { user: username })
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          content: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  // A client that rejects the certificate closes the connection.
  server.on('error', () => undefined)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    logins,
    stop: () =>
      new Promise((done) => {
        server.close(done)
      }),
  }
}
