/** The destination of a link must not be a short URL of the service, in any notation. */
import { cases, expectFieldError } from '../../support/bad-input.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { SHORT_URL_BASE: 'https://sho.rt' } })
})
afterAll(() => service.stop())

it.each(
  cases([
    'https://sho.rt/target',
    'HTTPS://SHO.RT/x',
    'https://sho.rt:443/x',
    'https://sho.rt./x',
    'https://sho%2ert/x',
    'https://ｓho.rt/x',
  ]),
)('rejects %s', async (_, url) => {
  const { id } = await makeLink(service)
  for (const [method, path] of [
    ['POST', '/v1/links'],
    ['PATCH', `/v1/links/${id}`],
  ] as const)
    expectFieldError(await service.call(method, path, { body: { url } }), '/url', 'invalid_url')
  expect(
    await service.db.query('SELECT FROM links WHERE url <> $1', ['https://target.example/page']),
  ).toEqual([])
})
