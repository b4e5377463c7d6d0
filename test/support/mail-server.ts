/** An SMTP server that records the messages it accepts. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they were sent. */
  content: string
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  stop(): Promise<void>
}

export async function startMailServer(login: { user: string; password: string }): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    stop: () =>
      new Promise((done) => {
        server.close(done)
      }),
  }
}
