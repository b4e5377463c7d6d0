import { spawnSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Journals } from '../../../test/support/journals.js'
import { adoptFolders, isOwned, getOwner } from './folders.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('the owner of a folder', () => {
  const self = getOwner()
  const now = Date.now()

  function ownerFile(content: string, touchedAgoMs: number): string {
    const path = join(journals.dataDir, 'owner.json')
    writeFileSync(path, content)
    utimesSync(path, (now - touchedAgoMs) / 1000, (now - touchedAgoMs) / 1000)
    return path
  }

  it('is alive as long as its process runs, even without a heartbeat', () => {
    expect(isOwned(ownerFile(JSON.stringify(self), 600_000), self, now)).toBe(true)
  })

  it('is dead as soon as its PID is unused or belongs to another process', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect(isOwned(ownerFile(JSON.stringify({ ...self, pid }), 0), self, now)).toBe(false)
    expect(isOwned(ownerFile(JSON.stringify({ ...self, startTime: '1' }), 0), self, now)).toBe(false)
  })

  it.each([
    ['in another container', { pidNamespace: 'pid:[1]' }],
    ['from before a reboot', { bootId: 'other' }],
    ['on a system without /proc', { startTime: null, bootId: null, pidNamespace: null }],
  ])('%s is alive until its heartbeat is 60 seconds old', (_, changes) => {
    const owner = JSON.stringify({ ...self, pid: 1, ...changes })
    expect(isOwned(ownerFile(owner, 59_000), self, now)).toBe(true)
    expect(isOwned(ownerFile(owner, 61_000), self, now)).toBe(false)
  })

  it('with an unreadable owner file is alive until its heartbeat is 60 seconds old', () => {
    expect(isOwned(ownerFile('', 10_000), self, now)).toBe(true)
    expect(isOwned(ownerFile('null', 61_000), self, now)).toBe(false)
  })

  it('is exactly one adopter when several try to adopt a folder', async () => {
    const clicks = join(journals.dataDir, 'clicks')
    const ids = Array.from({ length: 20 }, (_, i) => `01890a5d-ac96-774b-bcce-b302099a80${10 + i}`)
    for (const id of ids) mkdirSync(join(clicks, id), { recursive: true })
    const adopters = Array.from({ length: 5 }, (_, i) => `11890a5d-ac96-774b-bcce-b302099a800${i}`)
    for (const id of adopters) {
      mkdirSync(join(clicks, id))
      writeFileSync(join(clicks, id, 'owner.json'), JSON.stringify(self))
    }
    const fail = (error: Error) => {
      throw error
    }
    const adopted = await Promise.all(adopters.map((id) => adoptFolders(clicks, id, self, now, fail)))
    expect(adopted.flat()).toHaveLength(20)
    expect(new Set(adopted.flat().map((path) => path.slice(-36)))).toEqual(new Set(ids))
  })
})
