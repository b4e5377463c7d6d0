/**
 * `node clients/conformance/generate.js [--check]`: computes signatures.json without code of a client. With --check,
 * fails if the committed file differs.
 */
import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const now = 1_790_000_000
const bytes = Buffer.alloc(32, 5)
const current = { text: `whsec_${bytes.toString('base64')}`, key: bytes }
const next = { text: 'whsec_bmV4dC1zZWNyZXQ=', key: Buffer.from('next-secret') }
const other = { text: 'another secret', key: Buffer.from('another secret') }
const unicode = { text: 'Schlüssel ☃', key: Buffer.from('Schlüssel ☃') }
const invalidBase64 = { text: 'whsec_no base64', key: Buffer.from('whsec_no base64') }

const event = {
  id: 'evt_1',
  type: 'link.created',
  timestamp: '2026-09-21T14:13:20.000Z',
  data: { link: { id: 'lnk_1', title: 'Spring' } },
}
const body = JSON.stringify(event)
const unicodeBody = body.replace('Spring', 'Fünf € für ☃ 🎉')
const unknownEvent = JSON.stringify({ ...event, type: 'link.archived', region: 'eu' })

function sign({ key }, text = body, id = event.id, timestamp = String(now)) {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`
}

/** A delivery signed with the current secret. `changes` replaces parts of it. */
function delivery(name, { secrets = [current], timestamp = now, text = body, signedBy, ...changes } = {}) {
  const signatures = (signedBy ?? [current]).map((secret) => sign(secret, text, event.id, String(timestamp)))
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    ...changes.headers,
  }
  for (const [header, value] of Object.entries(headers)) if (value === undefined) delete headers[header]
  const outcome = changes.error === undefined ? { event: JSON.parse(text) } : { error: changes.error }
  return {
    name,
    secrets: secrets.map((secret) => secret.text),
    headers,
    body: changes.body ?? text,
    ...outcome,
  }
}

const mismatch = { error: 'signature_mismatch' }
const late = { error: 'timestamp_out_of_tolerance' }
const missing = { error: 'missing_header' }
const withSignature = (value) => ({ headers: { 'webhook-signature': value } })

const cases = [
  delivery('accepts a valid signature'),
  delivery('accepts headers in upper case', {
    headers: {
      'webhook-id': undefined,
      'WEBHOOK-ID': event.id,
      'webhook-timestamp': undefined,
      'Webhook-Timestamp': String(now),
    },
  }),
  delivery('accepts a body with Unicode', { text: unicodeBody }),
  delivery('accepts an unknown event type', { text: unknownEvent }),
  delivery('accepts a secret without whsec_', { secrets: [other], signedBy: [other] }),
  delivery('accepts a secret with Unicode', { secrets: [unicode], signedBy: [unicode] }),
  delivery('uses the text of a secret that is not base64', {
    secrets: [invalidBase64],
    signedBy: [invalidBase64],
  }),
  delivery('accepts the new secret during a rotation', { secrets: [next, current], signedBy: [next] }),
  delivery('accepts the old secret during a rotation', { secrets: [next, current] }),
  delivery('accepts the second of several signatures', { signedBy: [next, current] }),
  delivery('ignores signatures of other versions', withSignature(`v1a,AAAA v2,BBBB ${sign(current)}`)),
  delivery('ignores a signature that is not base64', withSignature(`v1,%%% ${sign(current)}`)),
  delivery('accepts the oldest allowed timestamp', { timestamp: now - 300 }),
  delivery('accepts the newest allowed timestamp', { timestamp: now + 300 }),
  delivery('rejects a late delivery', { timestamp: now - 301, ...late }),
  delivery('rejects a timestamp in the future', { timestamp: now + 301, ...late }),
  delivery('rejects a timestamp that is not a number', {
    headers: { 'webhook-timestamp': 'yesterday' },
    ...late,
  }),
  delivery('rejects a timestamp with a fraction', { timestamp: `${now}.5`, ...late }),
  delivery('rejects a signature by another secret', { signedBy: [other], ...mismatch }),
  delivery('rejects every signature when no secret matches', {
    secrets: [other, unicode],
    signedBy: [next, current],
    ...mismatch,
  }),
  delivery('rejects a changed body', { body: `${body} `, ...mismatch }),
  delivery('rejects a changed ID', { headers: { 'webhook-id': 'evt_2' }, ...mismatch }),
  delivery('rejects a changed timestamp', { headers: { 'webhook-timestamp': String(now + 1) }, ...mismatch }),
  delivery('rejects a signature without a version', {
    ...withSignature(sign(current).slice('v1,'.length)),
    ...mismatch,
  }),
  delivery('rejects an incomplete signature', { ...withSignature(sign(current).slice(0, -9)), ...mismatch }),
  delivery('rejects an empty signature', { ...withSignature('v1,'), ...mismatch }),
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) =>
    delivery(`rejects a delivery without ${header}`, { headers: { [header]: undefined }, ...missing }),
  ),
  delivery('rejects a signed body that is not JSON', { text: 'hello', error: 'not_an_event' }),
  delivery('rejects signed JSON that is not an event', { text: '[1]', error: 'not_an_event' }),
]

const batch = { batch_id: 'bat_1', events: [{ ...event, sequence: 7 }] }

/** A delivery with a batch. */
function batchDelivery(name, content, error) {
  const text = JSON.stringify(content)
  const headers = {
    'webhook-id': batch.batch_id,
    'webhook-timestamp': String(now),
    'webhook-signature': sign(current, text, batch.batch_id),
  }
  return { name, secrets: [current.text], headers, body: text, ...(error ? { error } : { batch: content }) }
}

const notABatch = 'not_a_batch'
const batches = [
  batchDelivery('accepts a batch', batch),
  batchDelivery('accepts an unknown event type in a batch', {
    ...batch,
    events: [...batch.events, { ...event, id: 'evt_2', type: 'link.archived', sequence: 8 }],
  }),
  batchDelivery('rejects an event instead of a batch', event, notABatch),
  batchDelivery('rejects a batch without an ID', { events: batch.events }, notABatch),
  batchDelivery('rejects a batch with something other than an event', { ...batch, events: [7] }, notABatch),
  { ...batchDelivery('rejects a changed batch', batch, 'signature_mismatch'), body: '{"batch_id":"bat_1"}' },
]

const file = join(import.meta.dirname, 'signatures.json')
const text = `${JSON.stringify({ now, tolerance: 300, cases, batches }, null, 2)}\n`
if (!process.argv.includes('--check')) await writeFile(file, text)
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('signatures.json is out of date. Run: node clients/conformance/generate.js')
  process.exitCode = 1
}
