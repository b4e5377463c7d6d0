/** Output to a reader that is slower than the command, such as `less`. */
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

import { spawnService } from '../../support/process.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const links = 3_000

let service: Service
beforeAll(async () => {
  service = await startService()
  for (let i = 0; i < links; i += 1_000) {
    const page = Array.from({ length: 1_000 }, (_, n) => ({ url: `https://target.example/${i + n}` }))
    expect((await service.call('POST', '/v1/links/bulk', { body: { links: page } })).status).toBe(200)
  }
})
afterAll(() => service.stop())

function start(...args: string[]) {
  return spawnService(args, {
    LINK_SERVICE_URL: `${service.origin}/api`,
    LINK_SERVICE_TOKEN: service.token,
  })
}

it('writes output that exceeds the pipe buffer completely to a slow reader', async () => {
  const { child, gone, output, errors } = start('links', 'list', '--limit', 'all', '--json')
  child.stdout.pause()
  // A command that does not wait for its reader exits now and loses the remaining output.
  await Promise.race([once(child, 'exit'), setTimeout(5_000)])
  child.stdout.resume()
  expect({ code: await gone, err: errors() }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(output()).data).toHaveLength(links)
})

it('prints no error when the reader closes the pipe early', async () => {
  const { child, gone, errors } = start('links', 'list', '--limit', 'all', '--json')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await gone
  expect(errors()).toBe('')
})
