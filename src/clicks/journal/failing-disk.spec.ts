/** The click journal on a disk that fails. */
import { closeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

import { Journals, drain, idsOf, record, visit } from '../../../test/support/journals.js'
import { writeBytes } from './segments.js'
import type { WriteBytes } from './segments.js'

let journals: Journals
beforeEach(() => {
  journals = new Journals()
})
afterEach(() => journals.stop())

describe('a disk that fails', () => {
  function failing(): { write: WriteBytes; plan: (number | string | null)[] } {
    const plan: (number | string | null)[] = []
    return {
      plan,
      write: (fd, bytes) => {
        const step = plan.shift() ?? null
        if (typeof step === 'string') throw Object.assign(new Error(step), { code: step })
        return writeBytes(fd, step === null ? bytes : bytes.subarray(0, step))
      },
    }
  }

  it('that writes less than it was given is given the rest', async () => {
    const { write, plan } = failing()
    const journal = journals.open({ write })
    plan.push(1, 10, 100)
    const ids = await record(journal, 5)
    expect(idsOf(await drain(journal))).toEqual(ids)
    expect(journal.stats()).toMatchObject({ lost: 0, torn: 0 })
  })

  it('loses the clicks of the turn, counts them, and answers all the same', async () => {
    const { write, plan } = failing()
    const faults: string[] = []
    const journal = journals.open({ write, onFault: (error) => faults.push(error.message) })
    plan.push('ENOSPC', 'ENOSPC')
    await record(journal, 3)
    await record(journal, 2)
    expect(journal.stats()).toMatchObject({ lost: 5, pendingClicks: 0 })
    expect(faults).toEqual(['ENOSPC'])
    const ids = await record(journal, 2)
    expect(idsOf(await drain(journal))).toEqual(ids)
    plan.push('EIO')
    await record(journal, 1)
    expect(faults).toEqual(['ENOSPC', 'EIO'])
  })

  it('also where a file cannot even be closed', async () => {
    const faults: string[] = []
    const write: WriteBytes = (fd) => {
      closeSync(fd)
      throw new Error('EDQUOT')
    }
    const journal = journals.open({ write, onFault: (error) => faults.push(error.message) })
    await record(journal, 3)
    expect(journal.stats()).toMatchObject({ lost: 3, pendingClicks: 0 })
    expect(faults).toHaveLength(1)
  })

  it.each([[0], [1], [50], [300], [400], [700]])(
    'after %d bytes of a turn keeps the whole lines and harms no later click',
    async (bytes) => {
      const { write, plan } = failing()
      const journal = journals.open({ write })
      const before = await record(journal, 2)
      plan.push(...(bytes > 0 ? [bytes, 'ENOSPC'] : ['ENOSPC']))
      const during = await record(journal, 4)
      const after = await record(journal, 3)
      const { lost } = journal.stats()
      const read = idsOf(await drain(journal))
      expect(lost).toBeGreaterThan(0)
      expect(read).toEqual([...before, ...during.slice(0, 4 - lost), ...after])
      expect(journal.stats().torn).toBeLessThanOrEqual(1)
    },
  )

  it('drops new clicks beyond the bound, goes on answering, and records again when there is room', async () => {
    const journal = journals.open({ maxBytes: 3_000, segmentBytes: 1_000 })
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(...(await record(journal, 1)))
    const { dropped } = journal.stats()
    expect(dropped).toBeGreaterThan(10)
    expect(idsOf(await drain(journal))).toEqual(ids.slice(0, 30 - dropped))
    const later = await record(journal, 1)
    expect(idsOf(await drain(journal))).toEqual(later)
    expect(journal.stats().dropped).toBe(dropped)
  })

  it('is no concern of the others when one answer throws', async () => {
    const faults: string[] = []
    const journal = journals.open({ onFault: (error) => faults.push(error.message) })
    let answered = 0
    const broken = (): void => {
      throw new Error('broken')
    }
    journal.append(visit, broken, undefined)
    journal.append(visit, () => answered++, undefined)
    await turn()
    expect(answered).toBe(1)
    expect(faults).toEqual(['broken'])
  })
})
