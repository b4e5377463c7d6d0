/**
 * Runs the built service with its journal on a disk of 256 KiB. The test mounts a tmpfs, which needs root. Without
 * root, `src/clicks/journal/failing-disk.spec.ts` covers the same steps with simulated errors.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeLink } from '../../support/factories/links.js'
import { canMount, fillDisk, mountDisk, unmountDisk } from '../../support/small-disk.js'
import { waitFor } from '../../support/wait-for.js'
import { JournalingProcess } from './journaling-process.js'

let dataDir: string
let service: JournalingProcess
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'link service full disk '))
  if (canMount) mountDisk(dataDir, '256k')
  service = await JournalingProcess.create(dataDir)
})
afterEach(async () => {
  await service.close()
  if (canMount) unmountDisk(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

async function visitMany(slug: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 20)
    await Promise.all(Array.from({ length: 20 }, () => service.visit(slug)))
}

const itMounts = canMount ? it : it.skip

itMounts(
  'counts every redirect while the disk is full, also after a restart',
  async () => {
    const { id, slug } = await makeLink(service.observer)
    await service.start()
    await visitMany(slug, 20)
    fillDisk(dataDir)
    await visitMany(slug, 200)
    await service.stop()

    await service.start()
    await visitMany(slug, 200)
    await waitFor('every click', async () => (await service.countClicks(id)) === 420, 10_000)
    rmSync(join(dataDir, 'filler'))
    await visitMany(slug, 20)
    await waitFor('every later click', async () => (await service.countClicks(id)) === 440, 10_000)
  },
  60_000,
)

itMounts(
  'writes the journal to the database at the next start when the journal has filled the disk',
  async () => {
    const { id, slug } = await makeLink(service.observer)
    await service.start()
    await visitMany(slug, 20)
    await waitFor('the first clicks', async () => (await service.countClicks(id)) === 20, 10_000)
    service.proxy.refuseConnections()
    const url = `${service.origin}/${slug}?${'x'.repeat(4_000)}`
    let visits = 0
    const isFull = () => readdirSync(join(dataDir, 'clicks')).length > 0 && visits >= 100
    while (!isFull()) {
      await fetch(url, { redirect: 'manual' })
      visits++
    }
    await service.kill()
    service.proxy.restoreConnections()
    fillDisk(dataDir)
    await service.start()
    const recovered = await waitFor(
      'the old clicks',
      async () => {
        const total = await service.countClicks(id)
        return total > 40 ? total : undefined
      },
      15_000,
    )
    await visitMany(slug, 20)
    await waitFor('the new clicks', async () => (await service.countClicks(id)) >= recovered + 20, 10_000)
  },
  60_000,
)
