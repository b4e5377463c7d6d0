/** Starts a service for specs that send invalid input to link calls. Importing this file registers its hooks. */
import { expectFieldError, nothingMayChange } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink } from '../../support/factories/links.js'

export let service: Service
/** The ID of a link. */
export let target: string

beforeAll(async () => {
  service = await shareService()
  target = (await makeLink(service, { title: 'T', tags: ['t'] })).id
})
nothingMayChange(() =>
  service.db.query(
    'SELECT * FROM links WHERE workspace_id = (SELECT id FROM workspaces WHERE name = $1) ORDER BY id',
    [service.workspaceFor('default')],
  ),
)
afterAll(() => service.stop())

export const calls = ['POST', 'PATCH'] as const
export type Call = (typeof calls)[number]
export const send = (call: Call, raw: string | Uint8Array, headers = {}) =>
  service.call(call, call === 'POST' ? '/v1/links' : `/v1/links/${target}`, { raw, headers })

export const withUrl = (fields: object) => JSON.stringify({ url: 'https://example.com/x', ...fields })
/** Expects that both create and change refuse the value. */
export async function expectBothReject(field: string, value: unknown, code?: string): Promise<void> {
  for (const call of calls) expectFieldError(await send(call, withUrl({ [field]: value })), `/${field}`, code)
}
