/**
 * Runs the built service with its journal on a disk of 256 KiB. The test mounts a tmpfs, which needs root. Without
 * root, `src/clicks/journal/failing-disk.spec.ts` covers the same steps with simulated errors.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { makeLink } from '../../support/factories/links.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const canMount = process.getuid?.() === 0 && mounts()

let db: TestDatabase
let proxy: DatabaseProxy
let observer: Service
let dataDir: string
let running: ServiceProcess | null = null
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'link service full disk '))
  if (canMount) mount(dataDir)
  db = await createDatabase()
  proxy = await DatabaseProxy.before(db.url)
  observer = await startService({ db })
})
afterEach(async () => {
  proxy.heal()
  await running?.stop()
  running = null
  await observer.stop()
  await proxy.stop()
  await db.drop()
  if (canMount) execFileSync('umount', ['--lazy', dataDir])
  rmSync(dataDir, { recursive: true, force: true })
})

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' })
}

function mounts(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'can-mount-'))
  try {
    mount(folder)
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const start = () =>
  startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    RATE_LIMIT: 'off',
    ROLE: 'api',
    LOG_LEVEL: 'silent',
  })

function fillDisk(): void {
  const file = join(dataDir, 'filler')
  writeFileSync(file, '')
  for (const size of [4_096, 1])
    try {
      for (;;) appendFileSync(file, 'x'.repeat(size))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
}

async function visitMany(slug: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await fetch(`${running!.origin}/${slug}`, { redirect: 'manual' })
        expect(status).toBe(302)
      }),
    )
}

const totalOf = async (id: string): Promise<number> =>
  (await observer.call('GET', `/v1/links/${id}`)).body.clicks.total

const itMounts = canMount ? it : it.skip

itMounts(
  'counts every redirect while the disk is full, also after a restart',
  async () => {
    const link = await makeLink(observer)
    running = await start()
    await visitMany(link.slug, 20)
    fillDisk()
    await visitMany(link.slug, 200)
    await running.stop()

    running = await start()
    await visitMany(link.slug, 200)
    await waitFor('every click', async () => (await totalOf(link.id)) === 420, 10_000)
    rmSync(join(dataDir, 'filler'))
    await visitMany(link.slug, 20)
    await waitFor('every later click', async () => (await totalOf(link.id)) === 440, 10_000)
  },
  60_000,
)

itMounts(
  'writes the journal to the database at the next start when the journal has filled the disk',
  async () => {
    const link = await makeLink(observer)
    running = await start()
    await visitMany(link.slug, 20)
    await waitFor('the first clicks', async () => (await totalOf(link.id)) === 20, 10_000)
    proxy.refuse()
    const url = `${running.origin}/${link.slug}?${'x'.repeat(4_000)}`
    let answered = 0
    const isFull = () => readdirSync(join(dataDir, 'clicks')).length > 0 && answered >= 100
    while (!isFull()) {
      await fetch(url, { redirect: 'manual' })
      answered++
    }
    running.kill()
    await running.gone
    proxy.heal()
    fillDisk()
    running = await start()
    const recovered = await waitFor(
      'the old clicks',
      async () => {
        const total = await totalOf(link.id)
        return total > 40 ? total : undefined
      },
      15_000,
    )
    await visitMany(link.slug, 20)
    await waitFor('the new clicks', async () => (await totalOf(link.id)) >= recovered + 20, 10_000)
  },
  60_000,
)
