/** Rate limits of tokens and workspaces apply to all instances together. */
import { accepted, keepFarFromTheHour, self } from '../../support/rate-limits.js'
import { call, startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let unlimited: Service
beforeAll(async () => (unlimited = await startService()))
afterAll(() => unlimited.stop())
keepFarFromTheHour()

const startLimited = (limit: string, workspaceLimit = 'off') =>
  startService({ db: unlimited.db, env: { RATE_LIMIT: limit, WORKSPACE_RATE_LIMIT: workspaceLimit } })

it('counts alternating requests to two instances together', async () => {
  const services = [await startLimited('20/1h'), await startLimited('20/1h')]
  try {
    const { token } = await services[0]!.mint()
    const responses: ServiceResponse[] = []
    for (let i = 0; i < 40; i++) responses.push(await self(services[i % 2]!, token))
    expect(accepted(responses)).toBe(20)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})

it('lets one instance use requests that the other reserved but does not need', async () => {
  const [busy, quiet] = [await startLimited('100/1h'), await startLimited('100/1h')]
  try {
    const { token } = await busy.mint()
    const responses: ServiceResponse[] = []
    for (let i = 0; i < 10; i++) responses.push(await self(quiet, token))
    await waitFor('the whole limit to be used', async () => {
      responses.push(await self(busy, token))
      return accepted(responses) === 100
    })
    expect((await self(quiet, token)).status).toBe(429)
  } finally {
    await Promise.all([busy.stop(), quiet.stop()])
  }
})

it.each([20, 200])('applies a limit of %i to concurrent requests to two instances', async (limit) => {
  const services = [await startLimited(`${limit}/1h`), await startLimited(`${limit}/1h`)]
  try {
    const { token } = await services[0]!.mint()
    const responses = await Promise.all(
      Array.from({ length: limit * 2 }, (_, i) =>
        call(services[i % 2]!.origin, 'GET', '/v1/auth/token/self', { token }),
      ),
    )
    // Requests that one instance reserved but did not use become available to the other.
    expect(accepted(responses)).toBeLessThanOrEqual(limit)
    await waitFor('the whole limit to be used', async () => {
      responses.push(...(await Promise.all(services.map((service) => self(service, token)))))
      return accepted(responses) === limit
    })
    for (const service of services) expect((await self(service, token)).status).toBe(429)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})

it('applies the limit of a workspace to concurrent requests of its tokens', async () => {
  const services = [await startLimited('4/1h', '6/1h'), await startLimited('4/1h', '6/1h')]
  try {
    await services[0]!.addWorkspace('crowd')
    const minted = await Promise.all(Array.from({ length: 5 }, () => unlimited.mint(undefined, 'crowd')))
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call(services[i % 2]!.origin, 'GET', '/v1/auth/token/self', { token: minted[i % 5]!.token }),
      ),
    )
    expect(accepted(responses)).toBeLessThanOrEqual(6)
    expect(accepted(responses)).toBeGreaterThan(0)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
})
