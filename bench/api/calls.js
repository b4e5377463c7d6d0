/** The API calls with a goal. `request` creates the i-th request from the IDs of the service or the baseline. */

/** The maximum latency of a call at one connection. */
export const maxMs = 20
const pick = (list, i) => list[i % list.length]

export const createLink = {
  name: 'POST /v1/links',
  leastRatio: 0.25,
  request: (_, i) => ({ method: 'POST', path: '/links', body: { url: `https://www.example.com/new/${i}` } }),
}

export const createLinkWithWebhook = {
  ...createLink,
  name: 'POST /v1/links, with a webhook',
  leastRatio: 0.15,
}

export const calls = [
  createLink,
  {
    name: 'GET /v1/links/:id',
    leastRatio: 0.3,
    request: (ids, i) => ({ path: `/links/${pick(ids.links, i)}` }),
  },
  { name: 'GET /v1/links', leastRatio: 0.25, request: () => ({ path: '/links' }) },
  {
    name: 'PATCH /v1/links/:id',
    request: (ids, i) => ({
      method: 'PATCH',
      path: `/links/${pick(ids.links, i)}`,
      body: { title: `Title ${i % 997}` },
    }),
  },
  { name: 'GET /v1/auth/token/self', request: () => ({ path: '/auth/token/self' }) },
  {
    name: 'POST /v1/auth/token',
    request: (_, i) => ({ method: 'POST', path: '/auth/token', body: { name: `token ${i}` } }),
  },
  { name: 'GET /v1/auth/tokens', request: () => ({ path: '/auth/tokens' }) },
  { name: 'GET /v1/webhooks', request: () => ({ path: '/webhooks' }) },
  {
    name: 'GET /v1/webhooks/:id/deliveries',
    request: (ids) => ({ path: `/webhooks/${ids.webhook}/deliveries` }),
  },
  { name: 'GET /v1/events', request: () => ({ path: '/events' }) },
  { name: 'GET /v1/clicks', request: () => ({ path: '/clicks?after=' }) },
  {
    name: 'GET /v1/links/:id/clicks',
    request: (ids, i) => ({ path: `/links/${pick(ids.clicked, i)}/clicks` }),
  },
  { name: 'GET /v1/audit-log', request: () => ({ path: '/audit-log' }) },
]

/** Returns requests for the load generators. */
export function requestsOf({ request }, ids, api, count = 2_000) {
  return Array.from({ length: count }, (_, i) => {
    const { method, path, body } = request(ids, i)
    return { method, path: `${api}/v1${path}`, body: body && JSON.stringify(body) }
  })
}
