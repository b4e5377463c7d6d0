/**
 * The service sends credentials and mail only over TLS with a valid certificate. The mail server is at 0.0.0.0, which
 * reaches this machine but, unlike 127.0.0.1, does not count as the same machine.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeAuthority, selfSigned } from '../../support/certificates.js'
import type { Certificate } from '../../support/certificates.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { freePort } from '../../support/free-port.js'
import { startMailServer } from '../../support/mail-server.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'

const host = '0.0.0.0'
const login = { user: 'links', password: 'secret' }
const authority = makeAuthority()
const yesterday = new Date(Date.now() - 24 * 3_600_000)

let folder: string
let db: TestDatabase
/** Printed by the first start. */
let token: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service mail '))
  await writeFile(join(folder, 'authority.pem'), authority.cert)
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  ['smtp', false],
  ['smtps', true],
])('with %s', (scheme, isSecure) => {
  let service: ServiceProcess
  let port: number
  beforeAll(async () => {
    port = await freePort()
    await db.query('DELETE FROM notice_tests')
    service = await startProcess({
      ROLE: 'api',
      DATA_DIR: join(folder, scheme),
      DATABASE_URL: db.url,
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
      NOTICES: `${scheme}://links:secret@${host}:${port}/?from=links@example.com&to=ops@example.com`,
    })
    token = service.firstToken ?? token
  })
  afterAll(() => service.stop())

  /** Sends a test notice to a mail server with this certificate, or without TLS. */
  async function sendTest(certificate?: Certificate) {
    const server = await startMailServer(login, { ...(certificate && { certificate }), isSecure, port })
    try {
      await db.query('DELETE FROM notice_tests')
      const { status, body } = await call(service.origin, 'POST', '/v1/workspace/notices/test', { token })
      expect(status).toBe(200)
      const { delivered, error } = body.results[0]
      return { delivered, error, logins: server.logins, mails: server.received.length }
    } finally {
      await server.stop()
    }
  }

  it('sends the credentials after TLS has started', async () => {
    expect(await sendTest(authority.issue({ names: [host] }))).toEqual({
      delivered: true,
      error: null,
      logins: [{ user: 'links', isSecure: true }],
      mails: 1,
    })
  })

  it.each([
    ['is self-signed', selfSigned({ names: [host] }), 'The certificate is self-signed.'],
    [
      'is of an unknown authority',
      makeAuthority('Another authority').issue({ names: [host] }),
      'The certificate was signed by an unknown authority, or the receiver does not send the intermediate certificates.',
    ],
    [
      'is for another name',
      authority.issue({ names: ['127.0.0.9'] }),
      `The certificate is for 127.0.0.9, not for ${host}.`,
    ],
    ['has expired', authority.issue({ names: [host], notAfter: yesterday }), 'The certificate expired.'],
  ])('sends nothing to a server whose certificate %s', async (_case, certificate, reason) => {
    expect(await sendTest(certificate)).toEqual({
      delivered: false,
      error: `No email was sent, because the TLS connection to ${host}:${port} is not secure. ${reason}`,
      logins: [],
      mails: 0,
    })
  })

  if (!isSecure)
    it('sends nothing to a server without STARTTLS', async () => {
      expect(await sendTest()).toEqual({
        delivered: false,
        error: `The mail server ${host} does not support STARTTLS, so no email was sent.`,
        logins: [],
        mails: 0,
      })
    })
})
