/** The public calls that have a budget. `request` makes the i-th request of a call from the ids of one of the two servers. */

const write = { rate: 0.3, latency: 3, thread: 2.5 }
const read = { rate: 0.5, latency: 3, thread: 2.5 }
const other = { thread: 2.5 }
const pick = (list, i) => list[i % list.length]

export const createLink = {
  name: 'POST /v1/links',
  goals: write,
  request: (_, i) => ({ method: 'POST', path: '/links', body: { url: `https://www.example.com/new/${i}` } }),
}

export const createLinkWithWebhook = {
  ...createLink,
  name: 'POST /v1/links, one webhook gets it',
  goals: { rate: 0.2 },
}

export const calls = [
  createLink,
  { name: 'GET /v1/links/:id', goals: read, request: (ids, i) => ({ path: `/links/${pick(ids.links, i)}` }) },
  { name: 'GET /v1/links', goals: read, request: () => ({ path: '/links' }) },
  {
    name: 'PATCH /v1/links/:id',
    goals: other,
    request: (ids, i) => ({
      method: 'PATCH',
      path: `/links/${pick(ids.links, i)}`,
      body: { title: `Title ${i % 997}` },
    }),
  },
  { name: 'GET /v1/auth/token/self', goals: other, request: () => ({ path: '/auth/token/self' }) },
  {
    name: 'POST /v1/auth/token',
    goals: other,
    request: (_, i) => ({ method: 'POST', path: '/auth/token', body: { name: `token ${i}` } }),
  },
  { name: 'GET /v1/auth/tokens', goals: other, request: () => ({ path: '/auth/tokens' }) },
  { name: 'GET /v1/webhooks', goals: other, request: () => ({ path: '/webhooks' }) },
  {
    name: 'GET /v1/webhooks/:id/deliveries',
    goals: other,
    request: (ids) => ({ path: `/webhooks/${ids.webhook}/deliveries` }),
  },
  { name: 'GET /v1/events', goals: other, request: () => ({ path: '/events' }) },
  { name: 'GET /v1/clicks', goals: other, request: () => ({ path: '/clicks?after=' }) },
  {
    name: 'GET /v1/links/:id/clicks',
    goals: other,
    request: (ids, i) => ({ path: `/links/${pick(ids.clicked, i)}/clicks` }),
  },
  { name: 'GET /v1/audit-log', goals: other, request: () => ({ path: '/audit-log' }) },
]

/** As the load generators take them. */
export function requestsOf({ request }, ids, api, count = 2_000) {
  return Array.from({ length: count }, (_, i) => {
    const { method, path, body } = request(ids, i)
    return { method, path: `${api}/v1${path}`, body: body && JSON.stringify(body) }
  })
}
