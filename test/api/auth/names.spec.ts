/** Unusual names of tokens, and workspaces by name and ID. */
import { encodeId } from '../../../src/platform/database/ids.js'
import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

it.each([
  'a',
  'a'.repeat(100),
  '\u{1F511}'.repeat(100),
  'é'.repeat(100),
  "Robert'); DROP TABLE tokens;--",
  '<script>alert(1)</script>',
  '__proto__',
  'null',
  '\u202eabc',
  ' a ',
])('a token keeps the name %j unchanged', async (name) => {
  const created = await service.call('POST', '/v1/auth/token', { body: { name } })
  expect(created.status).toBe(201)
  expect(created.body.name).toBe(name)
  const read = await service.call('GET', `/v1/auth/token/${created.body.id}`)
  expect(read.body.name).toBe(name)
})

it('a scope that is repeated 10,000 times is stored once', async () => {
  const { status, body } = await service.call('POST', '/v1/auth/token', {
    body: { name: 'a', scopes: Array(10_000).fill('links:read') },
  })
  expect(status).toBe(201)
  expect(body.scopes).toEqual(['links:read'])
})

const createWorkspace = async (name: string) => {
  const created = await service.app.get(WorkspacesService).create(name)
  return encodeId('wsp', created!.id)
}

/** Returns whether one token can read a link that the other creates. */
async function canReadLinkFrom(one: string, other: string): Promise<boolean> {
  const link = await makeLink(service, {}, other)
  return (await service.call('GET', `/v1/links/${link.id}`, { token: one })).status === 200
}

it('a workspace can be given by name or ID', async () => {
  const id = await createWorkspace('marketing')
  const byName = await service.mint(undefined, 'marketing')
  const byId = await service.mint(undefined, id)
  expect(await canReadLinkFrom(byId.token, byName.token)).toBe(true)
  expect(await canReadLinkFrom(byId.token, service.token)).toBe(false)
})

it('an unknown workspace ID is named in the error', async () => {
  const id = await createWorkspace('sales')
  const unknown = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  await expect(service.mint(undefined, unknown)).rejects.toThrow(`Workspace "${unknown}" was not found.`)
})

it('a workspace whose name is the ID of another takes precedence', async () => {
  const id = await createWorkspace('first')
  await createWorkspace(id)
  const [named, first] = [await service.mint(undefined, id), await service.mint(undefined, 'first')]
  expect(await canReadLinkFrom(named.token, first.token)).toBe(false)
})
