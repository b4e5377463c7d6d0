/** What a token and a workspace may ask for, they may ask for of all instances together. */
import { accepted, farFromTheHour, self } from '../../support/rate-limits.js'
import { call, startService } from '../../support/service.js'
import type { Answer, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let off: Service
beforeAll(async () => (off = await startService()))
afterAll(() => off.stop())

const limited = (limit: string, ofWorkspace = 'off') =>
  startService({ db: off.db, env: { RATE_LIMIT: limit, WORKSPACE_RATE_LIMIT: ofWorkspace } })

it('share one count: in turns', async () => {
  const services = [await limited('20/1h'), await limited('20/1h')]
  try {
    const { token } = await services[0]!.mint()
    await farFromTheHour()
    const answers: Answer[] = []
    for (let i = 0; i < 40; i++) answers.push(await self(services[i % 2]!, token))
    expect(accepted(answers)).toBe(20)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})

it('what one has set aside and does not need, the other may use', async () => {
  const [busy, quiet] = [await limited('100/1h'), await limited('100/1h')]
  try {
    const { token } = await busy.mint()
    await farFromTheHour()
    const answers: Answer[] = []
    for (let i = 0; i < 10; i++) answers.push(await self(quiet, token))
    await waitFor('all to be given out', async () => {
      answers.push(await self(busy, token))
      return accepted(answers) === 100
    })
    expect((await self(quiet, token)).status).toBe(429)
  } finally {
    await Promise.all([busy.stop(), quiet.stop()])
  }
})

it.each([20, 200])('share one count of %i: all at once', async (limit) => {
  const services = [await limited(`${limit}/1h`), await limited(`${limit}/1h`)]
  try {
    const { token } = await services[0]!.mint()
    await farFromTheHour()
    const answers = await Promise.all(
      Array.from({ length: limit * 2 }, (_, i) =>
        call(services[i % 2]!.origin, 'GET', '/v1/auth/token/self', { token }),
      ),
    )
    // Not one too many; and what one instance had set aside and did not need, the other may use a moment later.
    expect(accepted(answers)).toBeLessThanOrEqual(limit)
    await waitFor('the rest to be given out', async () => {
      answers.push(...(await Promise.all(services.map((service) => self(service, token)))))
      return accepted(answers) === limit
    })
    for (const service of services) expect((await self(service, token)).status).toBe(429)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})

it('share one count of a workspace, whose tokens all come at once', async () => {
  const services = [await limited('4/1h', '6/1h'), await limited('4/1h', '6/1h')]
  try {
    await services[0]!.addWorkspace('crowd')
    const minted = await Promise.all(Array.from({ length: 5 }, () => off.mint(undefined, 'crowd')))
    await farFromTheHour()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call(services[i % 2]!.origin, 'GET', '/v1/auth/token/self', { token: minted[i % 5]!.token }),
      ),
    )
    expect(accepted(answers)).toBeLessThanOrEqual(6)
    expect(accepted(answers)).toBeGreaterThan(0)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})
