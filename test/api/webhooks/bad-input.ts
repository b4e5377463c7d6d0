/**
 * Starts a service with one webhook for specs that send invalid input, and checks after each test that nothing changed.
 * Importing this file registers its hooks.
 */
import { expectFieldError, nothingMayChange } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { receiverUrl, makeWebhook } from '../../support/factories/webhooks.js'

let service: Service
let target: string

beforeAll(async () => {
  service = await shareService()
  target = (await makeWebhook(service, { description: 'D', secret: 'the present secret' })).id
})
const ownRows = (query: string) =>
  service.db.query(`${query} JOIN workspaces own ON own.id = workspace_id WHERE own.name = $1 ORDER BY 1`, [
    service.workspaceFor('default'),
  ])
nothingMayChange(async () => [
  await ownRows('SELECT webhooks.* FROM webhooks'),
  await ownRows('SELECT lanes.* FROM lanes JOIN webhooks ON webhooks.id = webhook_id'),
  await ownRows('SELECT audit_log.* FROM audit_log'),
])
afterAll(() => service.stop())

export const calls = ['create', 'change', 'rotate'] as const
export type Call = (typeof calls)[number]

export function send(call: Call, raw: string | Uint8Array, headers = {}) {
  const [method, path] = {
    create: ['POST', ''],
    change: ['PATCH', `/${target}`],
    rotate: ['POST', `/${target}/secret/rotate`],
  }[call] as [string, string]
  return service.call(method, `/v1/webhooks${path}`, { raw, headers })
}

export const request = (method: string, path: string, options = {}) =>
  service.call(method, path.replace('ID', target), options)

export const withRequired = (fields: object) =>
  JSON.stringify({ url: receiverUrl, events: ['click'], ...fields })

/** Expects that both create and change refuse the value. */
export async function expectBothReject(field: string, value: unknown, code?: string): Promise<void> {
  for (const call of ['create', 'change'] as const)
    expectFieldError(await send(call, withRequired({ [field]: value })), `/${field}`, code)
}
