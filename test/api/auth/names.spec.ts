/** Names of tokens may look odd. Workspaces are named on the command line, or their ids are given. */
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
])('the name %j is kept as it is', async (name) => {
  const made = await service.call('POST', '/v1/auth/token', { body: { name } })
  expect(made.status).toBe(201)
  expect(made.body.name).toBe(name)
  const read = await service.call('GET', `/v1/auth/token/${made.body.id}`)
  expect(read.body.name).toBe(name)
})

it('10,000 repetitions of a scope fold into one', async () => {
  const { status, body } = await service.call('POST', '/v1/auth/token', {
    body: { name: 'a', scopes: Array(10_000).fill('links:read') },
  })
  expect(status).toBe(201)
  expect(body.scopes).toEqual(['links:read'])
})

const makeWorkspace = async (name: string) => {
  const made = await service.app.get(WorkspacesService).create(name)
  return encodeId('wsp', made!.id)
}

/** Whether a token sees what another has made. */
async function seesWhatWasMadeBy(one: string, other: string): Promise<boolean> {
  const link = await makeLink(service, {}, other)
  return (await service.call('GET', `/v1/links/${link.id}`, { token: one })).status === 200
}

it('a workspace is taken by its name and by its id', async () => {
  const id = await makeWorkspace('marketing')
  const byName = await service.mint(undefined, 'marketing')
  const byId = await service.mint(undefined, id)
  expect(await seesWhatWasMadeBy(byId.token, byName.token)).toBe(true)
  expect(await seesWhatWasMadeBy(byId.token, service.token)).toBe(false)
})

it('an id that no workspace has is refused by name', async () => {
  const id = await makeWorkspace('sales')
  const unknown = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  await expect(service.mint(undefined, unknown)).rejects.toThrow(`There is no workspace ${unknown}.`)
})

it('a workspace that is named like the id of another is the one of that name', async () => {
  const id = await makeWorkspace('first')
  await makeWorkspace(id)
  const [named, first] = [await service.mint(undefined, id), await service.mint(undefined, 'first')]
  expect(await seesWhatWasMadeBy(named.token, first.token)).toBe(false)
})
