/** Kills the built service, with its embedded database, while it creates tokens. */
import { RestartedService } from '../../support/restarted-service.js'
import { countRounds } from '../../support/rounds.js'

const rounds = countRounds(20, 5)

describe('a service killed while it creates tokens', () => {
  let service: RestartedService
  beforeAll(async () => (service = await RestartedService.start()))
  afterAll(() => service.stop())

  it(
    'restarts without repairs and accepts every token whose 201 was received',
    async () => {
      expect(service.token).toMatch(/^lsk_live_/)
      let created = 0

      for (let round = 0; round < rounds; round++) {
        const received: string[] = []
        let killed = false
        const creators = Array.from({ length: 4 }, async () => {
          while (!killed) {
            const body = { name: 'c', scopes: ['links:read'] }
            const response = await service.call('POST', '/v1/auth/token', body).catch(() => null)
            if (response?.status === 201) received.push(response.body.token as string)
            if (received.length > 10 + round) killed = service.kill()
          }
        })
        await Promise.all(creators)

        await service.startAgain()
        for (const token of received) {
          const { status } = await service.call('GET', '/v1/auth/token/self', undefined, token)
          expect(status).toBe(200)
        }
        created += received.length
      }
      expect(created).toBeGreaterThan(rounds * 10)
    },
    rounds * 60_000,
  )
})
