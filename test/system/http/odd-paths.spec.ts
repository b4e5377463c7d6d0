/** Requests every route with unusual paths and methods. */
import { Agent, request } from 'node:http'

import { RouteTable } from '../../../src/platform/http/route-table.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const oddSegments = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%2f%2e%2e%2f',
  '%5c',
  '%00',
  '%',
  '%zz',
  '%E0%A4',
  '%0d%0aX-Evil:%201',
  '%20',
  ';',
  ':id',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

let service: Service
let agent: Agent
beforeAll(async () => {
  service = await startService()
  agent = new Agent({ keepAlive: true, maxSockets: 16 })
})
afterAll(async () => {
  agent.destroy()
  await service.stop()
})

interface OddRequest {
  method: string
  path: string
  token: string | null
}

function send({ method, path, token }: OddRequest): Promise<{ status: number; type: string }> {
  const { port } = new URL(service.origin)
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : ''
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends all requests, 200 at a time. */
async function sendAll(all: OddRequest[]): Promise<{ sent: OddRequest; status: number; type: string }[]> {
  const responses = []
  for (let i = 0; i < all.length; i += 200)
    responses.push(
      ...(await Promise.all(all.slice(i, i + 200).map(async (sent) => ({ sent, ...(await send(sent)) })))),
    )
  return responses
}

function urls(): string[] {
  return [...new Set(service.app.get(RouteTable).routes.map(({ url }) => url))]
}

const parameter = /:[A-Za-z_]+/g

/** A sample, because methods without a route are handled alike. */
const sampleMethods = ['GET', 'POST', 'DELETE', 'PURGE']

it.each([
  ['with a token', true, methods.filter((method) => method !== 'TRACE' && method !== 'PROPFIND')],
  ['without a token', false, sampleMethods],
] as const)(
  'returns a 4xx problem for unusual path parameters %s',
  async (_name, hasToken, triedMethods) => {
    const token = hasToken ? service.token : null
    const parametric = urls().filter((url) => url.includes(':'))
    expect(parametric.length).toBeGreaterThan(10)
    const requests = parametric.flatMap((url) =>
      oddSegments.flatMap((odd) =>
        triedMethods.map((method) => ({ method, path: url.replace(parameter, () => odd), token })),
      ),
    )
    // 414 and 431 refuse paths and headers that are too long.
    const expected = new Set([400, 401, 404, 405, 414, 415, 422, 431])
    const wrong = (await sendAll(requests)).filter(
      ({ sent: { method }, status, type }) =>
        !expected.has(status) || (method !== 'HEAD' && !type.startsWith('application/problem')),
    )
    expect(wrong).toEqual([])
  },
  120_000,
)

it('returns 404 or 405 for an empty path parameter', async () => {
  const empty = urls()
    .filter((url) => url.includes(':'))
    .flatMap((url) => methods.map((method) => ({ method, path: url.replace(parameter, ''), token: null })))
  const wrong = (await sendAll(empty)).filter(({ status }) => status !== 404 && status !== 405)
  expect(wrong).toEqual([])
})

/** /docs/ redirects to /docs, and /docs/guide/ is the start page of the guide. */
const pathsWithSlash = ['/docs/', '/docs/guide/']

it('returns 404 for a path with an extra slash', async () => {
  const odd = urls()
    .filter((url) => url !== '/')
    .flatMap((url) => [`${url}/`, `/${url}`, url.replace(/\/(?=[^/]*$)/, '//'), `${url}//`])
  const requests = odd.flatMap((path) =>
    sampleMethods.map((method) => ({ method, path: path.replace(parameter, 'x'), token: service.token })),
  )
  // The dashboard's pages handle all paths below /dashboard/ themselves.
  const outside = requests.filter(
    ({ path }) => !/^\/{0,2}dashboard\//.test(path) && !pathsWithSlash.includes(path),
  )
  const wrong = (await sendAll(outside)).filter(({ status }) => status !== 404)
  expect(wrong).toEqual([])
}, 120_000)

it('keeps serving after all these requests', async () => {
  expect((await service.call('GET', '/healthz')).status).toBe(200)
  expect((await service.call('GET', '/v1/auth/token/self')).status).toBe(200)
})
