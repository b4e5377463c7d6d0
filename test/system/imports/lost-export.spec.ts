/** An export whose database connection hangs ends when its client disconnects, or at a shutdown. */
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'

import { makeLink } from '../../support/factories/links.js'
import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { waitFor } from '../../support/wait-for.js'

const maxExports = 2

let proxied: ProxiedService
beforeAll(async () => (proxied = await startProxiedService()))
afterAll(() => proxied.stop())

async function start({ service } = proxied): Promise<IncomingMessage> {
  const request = get(`${service.origin}/api/v1/links/export?format=csv`, {
    agent: false,
    headers: { authorization: `Bearer ${service.token}` },
  })
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

it('frees the slot of a hanging export when its client disconnects', async () => {
  await makeLink(proxied.service)
  proxied.proxy.silenceOnText('FETCH')
  const hanging: IncomingMessage[] = []
  for (let i = 0; i < maxExports; i++) hanging.push(await start())
  for (const response of hanging) await once(response, 'readable')
  expect((await start()).statusCode).toBe(429)
  for (const response of hanging) response.destroy()
  await waitFor('a free slot', async () => {
    const next = await start()
    next.destroy()
    return next.statusCode === 200
  })
})

it('ends an export at a shutdown', async () => {
  const own = await startProxiedService()
  own.proxy.silenceOnText('FETCH')
  const hanging = await start(own)
  const aborted = once(hanging, 'error')
  await once(hanging, 'readable')
  await own.stop()
  expect(await aborted).toMatchObject([{ code: 'ECONNRESET' }])
})

it('ends an export that is still opening its snapshot at a shutdown', async () => {
  const own = await startProxiedService()
  own.proxy.silenceOnText('DECLARE')
  const opening = start(own)
  await waitFor('the snapshot to be requested', () => own.proxy.takeSentBytes('queries').includes('DECLARE'))
  const stopped = own.stop()
  const response = await opening
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
  expect(await json(response)).toMatchObject({ code: 'unavailable', detail: 'The service is stopping.' })
  await stopped
})
