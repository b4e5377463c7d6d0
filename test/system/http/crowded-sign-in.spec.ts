import { createTokenValue } from '../../../src/auth/token-value.js'
import { signIn } from '../../api/dashboard/browser.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse } from '../../support/service.js'

it('stays responsive during 100 concurrent sign-ins with unknown tokens', async () => {
  const crowded = await startService()
  await crowded.call('GET', '/v1/links')
  const timed = async (work: Promise<ServiceResponse>) => {
    const startedAt = performance.now()
    const { status } = await work
    return { status, ms: performance.now() - startedAt }
  }
  const attempts = Array.from({ length: 100 }, () =>
    timed(signIn(crowded, { token: createTokenValue('live') })),
  )
  const list = await timed(crowded.call('GET', '/v1/links'))
  const refused = await Promise.all(attempts)
  expect(refused.map(({ status }) => status).filter((status) => status !== 401 && status !== 429)).toEqual([])
  // Without a free connection, each request would wait for three seconds.
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(2_000)
  expect(list.status).toBe(200)
  expect(list.ms).toBeLessThan(500)
  await crowded.stop()
})
