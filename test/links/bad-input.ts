/**
 * The frame of the specs of bad input: a service with one link, and after each case the table of links as it was before.
 * Importing it sets that up for the importing file.
 */
import { startService } from '../support/service.js'
import type { Service } from '../support/service.js'
import { expectFieldError, makeLink } from './factory.js'

let service: Service
let target: string
let before: unknown
const snapshot = () => service.db.query('SELECT * FROM links ORDER BY id')

beforeAll(async () => {
  service = await startService({ env: { SHORT_URL_BASE: 'https://sho.rt' } })
  target = (await makeLink(service, { slug: 'target', title: 'T', tags: ['t'] })).id
  before = await snapshot()
})
afterAll(() => service.stop())
afterEach(async () => {
  const after = await snapshot()
  const was = before
  // What one case changed is not the fault of the next.
  before = after
  expect(after).toEqual(was)
})

export const calls = ['POST', 'PATCH'] as const
export type Call = (typeof calls)[number]
export const send = (call: Call, raw: string | Uint8Array, headers = {}) =>
  service.call(call, call === 'POST' ? '/v1/links' : `/v1/links/${target}`, { raw, headers })

export const withUrl = (fields: object) => JSON.stringify({ url: 'https://example.com/x', ...fields })
/** Into both calls; what creating asks for beside it is there. */
export async function refusedByBoth(field: string, value: unknown, code?: string): Promise<void> {
  for (const call of calls) expectFieldError(await send(call, withUrl({ [field]: value })), `/${field}`, code)
}
