/** On the command line a workspace is named, or its id is given. */
import { encodeId } from '../../../src/platform/database/ids.js'
import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

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
