/** The built service, as a process of its own on its embedded database, killed without warning while it works. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { roundsOf } from '../../support/rounds.js'
import { call } from '../../support/service.js'

const rounds = roundsOf(20, 5)

describe('a service that is killed while tokens are being created', () => {
  let dataDir: string
  let running: ServiceProcess | null = null

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'link service chaos '))
  })

  afterAll(async () => {
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('starts again by itself, with every token whose 201 was received', async () => {
    running = await startProcess({ DATA_DIR: dataDir, RATE_LIMIT: 'off' })
    const admin = running.firstToken!
    expect(admin).toMatch(/^lsk_live_/)
    let created = 0

    for (let round = 0; round < rounds; round++) {
      const { origin } = running
      const received: string[] = []
      let killed = false
      const creators = Array.from({ length: 4 }, async () => {
        while (!killed) {
          const answer = await call(origin, 'POST', '/v1/auth/token', {
            token: admin,
            body: { name: 'c', scopes: ['links:read'] },
          }).catch(() => null)
          if (answer?.status === 201) received.push(answer.body.token as string)
          if (received.length > 10 + round) killed = running!.kill()
        }
      })
      await Promise.all(creators)
      await running.gone

      running = await startProcess({ DATA_DIR: dataDir, RATE_LIMIT: 'off' })
      expect(running.firstToken).toBeNull()
      for (const token of received) {
        const { status } = await call(running.origin, 'GET', '/v1/auth/token/self', { token })
        expect(status).toBe(200)
      }
      created += received.length
    }
    expect(created).toBeGreaterThan(rounds * 10)
  }, 300_000)
})
