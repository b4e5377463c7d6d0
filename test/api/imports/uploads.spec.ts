import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'

import { FaultsRepository } from '../../../src/links/import/faults.repository.js'
import { MaintainImportsJob } from '../../../src/links/import/import-jobs.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile, readReport, upload } from '../../support/factories/imports.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await startService({ env: { ROLE: 'all' } })))
afterAll(() => service.stop())

const url = 'https://target.example/'
const stored = async () => {
  const [row] = await service.db.query<{ imports: string; chunks: string }>(
    'SELECT (SELECT count(*) FROM imports) AS imports, (SELECT count(*) FROM import_chunks) AS chunks',
  )
  return row
}
const MiB = 1024 * 1024

/** Sends the headers and a part of the body of an upload. */
function sendSome(length: number, body: string, headers = '') {
  const { hostname, port } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (data) => (received += data.toString())).on('error', () => undefined)
  socket.write(
    `POST /api/v1/imports HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${service.token}\r\ncontent-type: text/csv\r\ncontent-length: ${length}\r\n${headers}\r\n`,
  )
  socket.write(body)
  return { socket, received: () => received }
}

describe('an upload', () => {
  it.each<[string, string, string | Uint8Array, Record<string, string>, number, string]>([
    ['JSON', 'application/json', '{}', {}, 415, 'unsupported_media_type'],
    ['no known type', 'text/plain', 'url', {}, 415, 'unsupported_media_type'],
    [
      'compressed',
      'text/csv',
      gzipSync('url\n'),
      { 'content-encoding': 'gzip' },
      415,
      'unsupported_media_type',
    ],
    ['Latin-1', 'text/csv; charset=iso-8859-1', 'url\n', {}, 415, 'unsupported_media_type'],
    ['empty', 'text/csv', '', {}, 422, 'validation_failed'],
    ['of unknown columns', 'text/csv', 'a,b\n1,2\n', {}, 422, 'validation_failed'],
    ['UTF-16', 'text/csv', Buffer.from('\ufeffurl\n', 'utf16le'), {}, 422, 'validation_failed'],
  ])('is rejected and not stored: %s', async (_, type, body, headers, status, code) => {
    const before = await stored()
    const response = await upload(service, body, {}, { type, headers })
    expect({ status: response.status, code: response.body.code }).toEqual({ status, code })
    expect(await stored()).toEqual(before)
  })

  it.each([
    ['format=excel', 'format'],
    ['on_conflict=replace', 'on_conflict'],
    ['dry_run=yes', 'dry_run'],
    ['notify=0', 'notify'],
    ['limit=1', 'limit'],
  ])('with an invalid query is rejected: %s', async (query, parameter) => {
    const { status, body } = await upload(service, 'url\n', Object.fromEntries(new URLSearchParams(query)))
    expect(status).toBe(400)
    expect(body.errors[0].parameter).toBe(parameter)
  })

  it('that is announced as too large is rejected before its body arrives', async () => {
    const { socket, received } = sendSome(256 * MiB + 1, 'url\n')
    await waitFor(
      'the refusal',
      () => received().startsWith('HTTP/1.1 413 ') && received().includes('256 MiB'),
    )
    socket.destroy()
    expect(await stored()).toMatchObject({ chunks: '0' })
  })

  it('that is rejected during its body leaves the connection usable', async () => {
    const body = 'a,b\n' + '1,2\n'.repeat(MiB / 4)
    const { socket, received } = sendSome(body.length, body.slice(0, MiB / 2))
    await waitFor('the refusal', () => received().startsWith('HTTP/1.1 422'))
    socket.write(body.slice(MiB / 2))
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await waitFor('the next response', () => received().includes('HTTP/1.1 200'))
    socket.destroy()
  })

  it('that is aborted leaves no data', async () => {
    const before = await stored()
    const { socket } = sendSome(10 * MiB, `url\n${`${url}\n`.repeat(30_000)}`)
    await waitFor('the first chunk', async () => (await stored())?.chunks !== before?.chunks)
    // An incomplete upload is not listed.
    const { body } = await service.call('GET', '/v1/imports')
    expect(body.data).toEqual([])
    socket.destroy()
    await waitFor(
      'the upload to be deleted',
      async () => JSON.stringify(await stored()) === JSON.stringify(before),
    )
  })

  it('of a killed process is deleted later', async () => {
    const id = '019aa43d-a7e4-7a23-b50f-a7a0985699ae'
    // One statement, because the worker of this service may delete such uploads at any time.
    await service.db.query(
      `WITH upload AS (
         INSERT INTO imports (id, workspace_id, token_id, status, layout, on_conflict, dry_run, notify, bytes, body_offset,
           line, is_in_long_line, ignored_columns, preview, created, updated, skipped, failed, attempts, touched_at)
         VALUES ($1, $1, $1, 'uploading', '{}', 'fail', false, true, 0, 0, 1, false, '{}', '[]', 0, 0, 0, 0, 0, now() - interval '11 minutes')
         RETURNING id)
       INSERT INTO import_chunks SELECT id, 0, 'x' FROM upload`,
      [id],
    )
    // A worker runs this job four times a minute.
    await service.app.get(MaintainImportsJob, { strict: false }).handle()
    expect(await service.db.query('SELECT 1 FROM import_chunks WHERE import_id = $1', [id])).toEqual([])
  })

  it('can be repeated with its Idempotency-Key, but not with another file', async () => {
    const headers = { 'idempotency-key': 'one upload' }
    const first = await upload(service, `url\n${url}1`, {}, { headers: { 'idempotency-key': 'one' } })
    expect(first.status).toBe(202)
    const again = await upload(service, `url\n${url}1`, {}, { headers: { 'idempotency-key': 'one' } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.id).toBe(first.body.id)
    const other = await upload(service, `url\n${url}2`, {}, { headers: { 'idempotency-key': 'one' } })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    // A key must not contain a space.
    expect((await upload(service, 'url\n', {}, { headers })).status).toBe(400)
    const { body } = await service.call('GET', '/v1/imports')
    expect(body.data).toHaveLength(1)
  })

  it('asks to retry if it fails after a concurrent upload with its Idempotency-Key was accepted', async () => {
    const length = 3 * MiB
    const file = `url\n${`${url}\n`.repeat(length / 10)}`.slice(0, length)
    const { socket, received } = sendSome(length, file.slice(0, 2 * MiB), 'idempotency-key: raced\r\n')
    const uploading = await waitFor('the upload to begin', async () => {
      const rows = await service.db.query<{ id: string }>(`SELECT id FROM imports WHERE status = 'uploading'`)
      return rows[0]?.id
    })
    expect((await upload(service, 'url\n', {}, { headers: { 'idempotency-key': 'raced' } })).status).toBe(202)
    await service.db.query('DELETE FROM imports WHERE id = $1', [uploading])
    socket.write(file.slice(2 * MiB))
    await waitFor('the response', () => received().includes('\r\n\r\n'))
    expect(received()).toMatch(/^HTTP\/1\.1 409 /)
    expect(received()).toContain('idempotency_in_progress')
    socket.destroy()
  })

  it('requires links:write, and reading an import links:read', async () => {
    const { token: reader } = await service.mint('links:read')
    const { token: writer } = await service.mint('links:write')
    expect((await upload(service, 'url\n', {}, { token: reader })).status).toBe(403)
    const { body } = await upload(service, `url\n${url}`, {}, { token: writer })
    expect((await service.call('GET', `/v1/imports/${body.id}`, { token: writer })).status).toBe(403)
    expect((await service.call('GET', `/v1/imports/${body.id}`, { token: reader })).status).toBe(200)
    expect((await service.call('DELETE', `/v1/imports/${body.id}`, { token: reader })).status).toBe(403)
  })

  it('in several chunks is parsed as one file', async () => {
    const long = 'x'.repeat(60_000)
    const lines = Array.from({ length: 12 }, (_, i) => `${url}${i}?${i % 2 ? 'a' : long}\n`)
    const { id, created, failed, lines: read } = await importFile(service, `url\n${lines.join('')}`)
    // Only the lines with URLs that are too long fail.
    expect({ created, failed, read }).toEqual({ created: 6, failed: 6, read: 12 })
    expect((await readReport(service, id)).map(({ line }) => line)).toEqual([2, 4, 6, 8, 10, 12])
  })
  it('with long failed lines has a report that is read in small pages', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => i + 2)
    const { id, failed } = await importFile(service, `url\n${`${'x'.repeat(60_000)}\n`.repeat(20)}`)
    expect(failed).toBe(20)
    const faults = service.app.get(FaultsRepository, { strict: false })
    const page = await faults.listFaults(decodeId('imp', id)!, 0)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MiB / 2)
    expect((await readReport(service, id)).map(({ line }) => line)).toEqual(numbers)
  })
})
