/** The order in which the roller serves workspaces. */
import { DataSource } from 'typeorm'

import { CheckpointsRepository } from '../../../src/analytics/rolling/checkpoints.repository.js'
import { Roller } from '../../../src/analytics/rolling/roller.js'
import { readIdentity, makeClick } from '../../support/factories/clicks.js'
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
    ids.push((await readIdentity(service, link)).workspaceId)
  }
  ids.sort()
})
afterAll(() => service.stop())

/** A roller of workspaces that never run out of clicks. One of them may fail. */
class BusyRoller extends Roller {
  readonly steps: string[] = []
  failing: string | null = null

  override rollStep(workspaceId: string): Promise<boolean> {
    this.steps.push(workspaceId)
    return workspaceId === this.failing ? Promise.reject(new Error('step failed')) : Promise.resolve(true)
  }
}

function busyRoller(): BusyRoller {
  return new BusyRoller(service.app.get(DataSource), new CheckpointsRepository())
}

function steps(count: number): () => boolean {
  let remaining = count
  return () => remaining-- === 0
}

it('gives each workspace a step in turn, and continues with the next one in the next run', async () => {
  const roller = busyRoller()
  await roller.rollWorkspaces(true, steps(4))
  expect(roller.steps.splice(0)).toEqual([ids[0], ids[1], ids[2], ids[0]])
  await roller.rollWorkspaces(true, steps(2))
  expect(roller.steps).toEqual([ids[1], ids[2]])
})

it('serves the other workspaces when one fails, and reports the failure', async () => {
  const roller = busyRoller()
  roller.failing = ids[0]!
  await expect(roller.rollWorkspaces(true, steps(5))).rejects.toThrow('step failed')
  expect(roller.steps).toEqual([ids[0], ids[1], ids[2], ids[1], ids[2]])
})
