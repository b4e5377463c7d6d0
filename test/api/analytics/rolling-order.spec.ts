/** Which workspaces a run of the roller serves, and in which order. */
import { DataSource } from 'typeorm'

import { Months } from '../../../src/analytics/rolling/months.js'
import { Roller } from '../../../src/analytics/rolling/roller.js'
import { RollingPlacesRepository } from '../../../src/analytics/rolling/rolling-places.repository.js'
import { RunningSums } from '../../../src/analytics/rolling/running-sums.js'
import { identityOf, makeClick } from '../../support/factories/clicks.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const names = ['first', 'second', 'third']

let service: Service
let ids: string[]
beforeAll(async () => {
  service = await startService()
  ids = []
  for (const name of names) {
    await service.addWorkspace(name)
    const { token } = await service.mint('links:write', name)
    const link = await makeLink(service, {}, token)
    await makeClick(service, link)
    ids.push((await identityOf(service, link)).workspaceId)
  }
  ids.sort()
})
afterAll(() => service.stop())

/** A roller of workspaces that never run out of clicks. One of them may fail. */
class BusyRoller extends Roller {
  readonly steps: string[] = []
  failing: string | null = null

  override step(workspaceId: string): Promise<boolean> {
    this.steps.push(workspaceId)
    return workspaceId === this.failing ? Promise.reject(new Error('it fails')) : Promise.resolve(true)
  }
}

function busyRoller(): BusyRoller {
  const database = service.app.get(DataSource)
  const places = new RollingPlacesRepository()
  return new BusyRoller(database, places, new Months(database, places), new RunningSums(database, places))
}

function steps(count: number): () => boolean {
  let left = count
  return () => left-- === 0
}

it('each has a step in turn, and the next run goes on where the last one ended', async () => {
  const roller = busyRoller()
  await roller.run(true, steps(4))
  expect(roller.steps.splice(0)).toEqual([ids[0], ids[1], ids[2], ids[0]])
  await roller.run(true, steps(2))
  expect(roller.steps).toEqual([ids[1], ids[2]])
})

it('one that fails keeps the others from nothing, and the failure is told', async () => {
  const roller = busyRoller()
  roller.failing = ids[0]!
  await expect(roller.run(true, steps(5))).rejects.toThrow('it fails')
  expect(roller.steps).toEqual([ids[0], ids[1], ids[2], ids[1], ids[2]])
})
