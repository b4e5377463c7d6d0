import { spawnSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Journals } from '../../../test/support/journals.js'
import { adoptFolders, isOwned, thisProcess } from './folders.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('the owner of a folder', () => {
  const self = thisProcess()
  const now = Date.now()

  function ownerFile(content: string, touchedAgoMs: number): string {
    const path = join(journals.dataDir, 'owner.json')
    writeFileSync(path, content)
    utimesSync(path, (now - touchedAgoMs) / 1000, (now - touchedAgoMs) / 1000)
    return path
  }

  it('lives as long as its process, however long it is silent', () => {
    expect(isOwned(ownerFile(JSON.stringify(self), 600_000), self, now)).toBe(true)
  })

  it('is dead at once when its pid is free, or was given to another process', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect(isOwned(ownerFile(JSON.stringify({ ...self, pid }), 0), self, now)).toBe(false)
    expect(isOwned(ownerFile(JSON.stringify({ ...self, startTime: '1' }), 0), self, now)).toBe(false)
  })

  it.each([
    ['in another container', { pidNamespace: 'pid:[1]' }],
    ['before a reboot', { bootId: 'other' }],
    ['on a system without /proc', { startTime: null, bootId: null, pidNamespace: null }],
  ])('%s is judged by its heartbeat', (_, changes) => {
    const owner = JSON.stringify({ ...self, pid: 1, ...changes })
    expect(isOwned(ownerFile(owner, 59_000), self, now)).toBe(true)
    expect(isOwned(ownerFile(owner, 61_000), self, now)).toBe(false)
  })

  it('that cannot be read is judged by the heartbeat too', () => {
    expect(isOwned(ownerFile('', 10_000), self, now)).toBe(true)
    expect(isOwned(ownerFile('null', 61_000), self, now)).toBe(false)
  })

  it('is one adopter, when many try at once', async () => {
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
    const won = await Promise.all(adopters.map((id) => adoptFolders(clicks, id, self, now, fail)))
    expect(won.flat()).toHaveLength(20)
    expect(new Set(won.flat().map((path) => path.slice(-36)))).toEqual(new Set(ids))
  })
})
