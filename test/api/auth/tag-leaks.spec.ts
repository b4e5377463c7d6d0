/**
 * Calls every route of the route table with tokens that are restricted to tags, and proves that no response contains
 * anything of a link without these tags. A route that is not listed here fails the test: list it with requests that
 * would show a foreign link, or declare that it rejects such tokens.
 */
import { RouteTable } from '../../../src/platform/http/route-table.js'
import { makeClick } from '../../support/factories/clicks.js'
import type { LinkResponse } from '../../support/factories/links.js'
import { LiveFollower } from '../../support/live-follower.js'
import type { CallOptions, Service } from '../../support/service.js'
import { createTagWorld } from '../../support/tag-world.js'
import type { TagWorld } from '../../support/tag-world.js'
import { waitFor } from '../../support/wait-for.js'

let world: TagWorld
let service: Service
beforeAll(async () => {
  world = await createTagWorld()
  ;({ service } = world)
})
afterAll(() => service.stop())

interface Probe extends Omit<CallOptions, 'token'> {
  path: string
  /** Status for a restricted token. */
  status: number
  /** Whether the response for an unrestricted token contains something of the foreign link. Default: true. */
  reveals?: boolean
  /** Text that the response for a restricted token contains, such as its own link. */
  shows?: string
}

/** `refused`: 403 for every restricted token. `public`: needs no token, so it cannot depend on one. */
type Decision = 'refused' | 'public' | ((world: TagWorld) => Probe[])

const month = 'interval=30d'
/** Requests that change something name the foreign link last, so that the unrestricted control can run after them. */
const decisions: Record<string, Decision> = {
  // Tokens
  'POST /v1/auth/token': () => [
    { path: '/v1/auth/token', body: { name: 'a child' }, status: 201, reveals: false },
    {
      path: '/v1/auth/token',
      body: { name: 'a child', restrictions: { tags: ['foreign-tag'] } },
      status: 403,
      reveals: false,
    },
  ],
  'GET /v1/auth/tokens': ({ own }) => [
    { path: '/v1/auth/tokens?limit=100', status: 200, shows: own.childId },
  ],
  'GET /v1/auth/token/self': () => [{ path: '/v1/auth/token/self', status: 200, reveals: false }],
  'GET /v1/auth/token/:id': ({ foreign, own }) => [
    { path: `/v1/auth/token/${foreign.tokenId}`, status: 404 },
    { path: `/v1/auth/token/${own.childId}`, status: 200, reveals: false, shows: own.childId },
  ],
  'DELETE /v1/auth/token/:id': ({ foreign }) => [
    { path: `/v1/auth/token/${foreign.tokenId}`, status: 404, reveals: false },
  ],
  'DELETE /v1/auth/token/self': () => [],
  'POST /v1/auth/token/:id/rotate': ({ foreign }) => [
    { path: `/v1/auth/token/${foreign.tokenId}/rotate`, body: {}, status: 404 },
  ],
  'POST /v1/auth/revoke': 'public',

  // Links
  'POST /v1/links': ({ foreign }) => [
    {
      path: '/v1/links',
      body: { url: 'https://own.example/', slug: foreign.slug, tags: ['own'] },
      status: 409,
    },
    {
      path: '/v1/links',
      body: { url: 'https://own.example/', external_id: foreign.externalId, tags: ['own'] },
      status: 409,
      reveals: false,
    },
  ],
  'GET /v1/links': ({ foreign, own }) => [
    { path: '/v1/links', status: 200, shows: own.id },
    { path: '/v1/links?sort=created_at', status: 200, shows: own.id },
    { path: '/v1/links?sort=-clicks', status: 200, shows: own.id },
    { path: `/v1/links?q=${foreign.slug}`, status: 200 },
    { path: `/v1/links?external_id=${foreign.externalId}`, status: 200 },
    { path: '/v1/links?tag=foreign-tag', status: 200 },
  ],
  'GET /v1/links/:id': ({ foreign, own }) => [
    { path: `/v1/links/${foreign.id}`, status: 404 },
    { path: `/v1/links/${own.id}`, status: 200, reveals: false, shows: own.id },
  ],
  'PATCH /v1/links/:id': ({ foreign, own }) => [
    { path: `/v1/links/${foreign.id}`, body: { title: 'changed' }, status: 404 },
    {
      path: `/v1/links/${foreign.id}`,
      body: { tags: ['own'] },
      headers: { 'if-match': '"x"' },
      status: 404,
      reveals: false,
    },
    { path: `/v1/links/${own.id}`, body: { external_id: foreign.externalId }, status: 409, reveals: false },
  ],
  'DELETE /v1/links/:id': ({ foreign }) => [
    { path: `/v1/links/${foreign.id}`, headers: { 'if-match': '"x"' }, status: 404, reveals: false },
    { path: `/v1/links/${foreign.id}`, status: 404, reveals: false },
  ],
  'PUT /v1/links/by-external-id/:external_id': ({ foreign }) => [
    {
      path: `/v1/links/by-external-id/${foreign.externalId}`,
      body: { url: 'https://own.example/', tags: ['own'] },
      status: 409,
    },
  ],
  'GET /v1/links/by-slug/:slug': ({ foreign }) => [
    { path: `/v1/links/by-slug/${foreign.slug}`, status: 404 },
  ],
  'GET /v1/links/:id/history': ({ foreign }) => [
    { path: `/v1/links/${foreign.id}/history`, status: 404, reveals: false },
  ],
  'GET /v1/tags': () => [{ path: '/v1/tags', status: 200 }],
  'GET /v1/resolve': ({ foreign }) => [
    { path: `/v1/resolve?slug=${foreign.slug}`, status: 200 },
    { path: `/v1/resolve?slug=${foreign.deletedSlug}`, status: 200, reveals: false },
  ],
  'GET /v1/links/:id/qr': ({ foreign }) => [
    { path: `/v1/links/${foreign.id}/qr`, status: 404, reveals: false },
  ],
  'POST /v1/links/bulk': ({ foreign }) =>
    (['fail', 'skip', 'update'] as const).flatMap((on_conflict) => [
      {
        path: '/v1/links/bulk',
        body: {
          on_conflict,
          atomic: false,
          links: [
            { url: 'https://own.example/', slug: foreign.slug, tags: ['own'] },
            { url: 'https://own.example/', external_id: foreign.externalId, tags: ['own'] },
          ],
        },
        status: 200,
      },
    ]),
  'POST /v1/links/bulk/update': ({ foreign }) => [
    {
      path: '/v1/links/bulk/update',
      body: { ids: [foreign.id], patch: { title: 'x' }, atomic: false },
      status: 200,
    },
    { path: '/v1/links/bulk/update', body: { ids: [foreign.id], add_tags: ['own'] }, status: 422 },
  ],
  'POST /v1/links/bulk/delete': ({ foreign }) => [
    { path: '/v1/links/bulk/delete', body: { ids: [foreign.id], atomic: false }, status: 200 },
  ],

  // Import and export
  'GET /v1/links/export': ({ own }) => [
    { path: '/v1/links/export?format=csv', status: 200, shows: own.id },
    { path: '/v1/links/export?format=ndjson', status: 200, shows: own.id },
  ],
  'POST /v1/imports': ({ foreign }) => [
    {
      path: '/v1/imports?dry_run=true&on_conflict=update',
      raw: `url,slug,tags\nhttps://own.example/,${foreign.slug},own\n`,
      headers: { 'content-type': 'text/csv' },
      status: 202,
      reveals: false,
    },
  ],
  'GET /v1/imports': ({ foreign }) => [
    { path: '/v1/imports', status: 200, shows: '"data":[', reveals: foreign.importId !== '' },
  ],
  'GET /v1/imports/:id': ({ foreign }) => [{ path: `/v1/imports/${foreign.importId}`, status: 404 }],
  'GET /v1/imports/:id/report': ({ foreign }) => [
    { path: `/v1/imports/${foreign.importId}/report`, status: 404, reveals: false },
  ],
  'DELETE /v1/imports/:id': ({ foreign }) => [
    { path: `/v1/imports/${foreign.importId}`, status: 404, reveals: false },
  ],

  // Clicks and analytics
  'GET /v1/links/:id/clicks': ({ foreign, own }) => [
    { path: `/v1/links/${foreign.id}/clicks`, status: 404 },
    { path: `/v1/links/${own.id}/clicks`, status: 200, reveals: false, shows: own.id },
  ],
  'GET /v1/clicks': ({ foreign, own }) => [
    { path: '/v1/clicks?after=', status: 200, shows: own.id },
    { path: `/v1/clicks?after=&link_id=${foreign.id}`, status: 200 },
  ],
  'GET /v1/clicks/live': ({ foreign }) => [
    {
      path: `/v1/clicks/live?link_id=${foreign.id}`,
      headers: { 'last-event-id': '' },
      status: 200,
      reveals: false,
    },
  ],
  'GET /v1/analytics': ({ foreign, own }) => [
    { path: `/v1/analytics?${month}&group_by=link`, status: 200, shows: own.id },
    { path: `/v1/analytics?${month}&group_by=tag`, status: 200, shows: '"own"' },
    { path: `/v1/analytics?${month}&group_by=country`, status: 200, shows: '"DE"' },
    { path: `/v1/analytics?${month}&group_by=utm_source`, status: 200 },
    { path: `/v1/analytics?${month}&group_by=link&link_id=${foreign.id}`, status: 200 },
    { path: `/v1/analytics?${month}&group_by=link&tag=foreign-tag`, status: 200 },
    {
      path: `/v1/analytics?${month}&group_by=link`,
      headers: { accept: 'text/csv' },
      status: 200,
      shows: own.id,
    },
  ],
  'GET /v1/links/:id/analytics': ({ foreign, own }) => [
    { path: `/v1/links/${foreign.id}/analytics?${month}&group_by=utm_source`, status: 404 },
    { path: `/v1/links/${own.id}/analytics?${month}`, status: 200, reveals: false },
  ],

  // Events
  'GET /v1/events': ({ foreign, own }) => [
    { path: '/v1/events', status: 200, shows: own.id },
    { path: '/v1/events?type=link.created', status: 200, shows: own.id },
    { path: `/v1/events?link_id=${foreign.id}`, status: 200 },
    { path: '/v1/events?after=&limit=100', status: 200, shows: own.id },
    { path: `/v1/events?after=&link_id=${foreign.id}`, status: 200 },
  ],
  'GET /v1/events/:id': ({ foreign, own }) => [
    { path: `/v1/events/${foreign.eventId}`, status: 404 },
    { path: `/v1/events/${own.eventId}`, status: 200, shows: own.id },
  ],
  'GET /v1/event-types': () => [{ path: '/v1/event-types', status: 200, reveals: false }],
  'GET /v1/events/:id/explain': ({ foreign, own }) => [
    { path: `/v1/events/${foreign.eventId}/explain`, status: 404 },
    { path: `/v1/events/${own.eventId}/explain`, status: 200, shows: own.webhookId },
    { path: `/v1/events/${own.eventId}/explain?webhook_id=${foreign.webhookId}`, status: 404 },
  ],
  'GET /v1/clicks/:id/explain': ({ foreign }) => [
    { path: `/v1/clicks/${foreign.clickId}/explain`, status: 404, reveals: false },
  ],
  'GET /v1/links/:id/explain': ({ foreign }) => [{ path: `/v1/links/${foreign.id}/explain`, status: 404 }],

  // Webhooks
  'POST /v1/webhooks': () => [
    {
      path: '/v1/webhooks',
      body: { url: 'https://own.example/hook', events: ['*'] },
      status: 201,
      reveals: false,
    },
  ],
  'GET /v1/webhooks': ({ own }) => [{ path: '/v1/webhooks', status: 200, shows: own.webhookId }],
  'GET /v1/webhooks/:id': ({ foreign, own }) => [
    { path: `/v1/webhooks/${foreign.webhookId}`, status: 404 },
    { path: `/v1/webhooks/${own.webhookId}`, status: 200, reveals: false, shows: own.webhookId },
  ],
  'PATCH /v1/webhooks/:id': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}`, body: { description: 'x' }, status: 404 },
  ],
  'DELETE /v1/webhooks/:id': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.otherWebhookId}`, status: 404, reveals: false },
  ],
  'POST /v1/webhooks/:id/test': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/test`, body: {}, status: 404 },
  ],
  'POST /v1/webhooks/:id/secret/rotate': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/secret/rotate`, body: {}, status: 404 },
  ],
  'GET /v1/webhooks/:id/deliveries': ({ foreign, own }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/deliveries`, status: 404 },
    { path: `/v1/webhooks/${own.webhookId}/deliveries`, status: 200, reveals: false },
  ],
  'GET /v1/webhooks/:id/deliveries/:delivery_id': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/deliveries/${foreign.deliveryId}`, status: 404 },
  ],
  'POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/deliveries/${foreign.deliveryId}/redeliver`, status: 404 },
  ],
  'POST /v1/webhooks/:id/deliveries/:delivery_id/skip': ({ foreign }) => [
    {
      path: `/v1/webhooks/${foreign.webhookId}/deliveries/${foreign.deliveryId}/skip`,
      status: 404,
      reveals: false,
    },
  ],
  'POST /v1/webhooks/:id/replay': ({ foreign }) => [
    {
      path: `/v1/webhooks/${foreign.webhookId}/replay`,
      body: { since: '1d', status: 'all', dry_run: true },
      status: 404,
      reveals: false,
    },
  ],
  'POST /v1/webhooks/:id/filter/test': ({ foreign, own }) => [
    {
      path: `/v1/webhooks/${foreign.webhookId}/filter/test`,
      body: { event_id: own.eventId },
      status: 404,
      reveals: false,
    },
    {
      path: `/v1/webhooks/${own.webhookId}/filter/test`,
      body: { event_id: foreign.eventId },
      status: 404,
      reveals: false,
    },
    {
      path: `/v1/webhooks/${own.webhookId}/filter/test`,
      body: { event_id: own.eventId },
      status: 200,
      reveals: false,
      shows: '"matches":true',
    },
  ],
  'POST /v1/webhooks/:id/portal': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/portal`, body: {}, status: 404, reveals: false },
  ],
  'GET /v1/webhooks/:id/stats': ({ foreign }) => [
    { path: `/v1/webhooks/${foreign.webhookId}/stats`, status: 404, reveals: false },
  ],

  // What cannot be narrowed to links
  'GET /v1/audit-log': 'refused',
  'GET /v1/audit-log/export': 'refused',
  'GET /v1/instance': 'refused',
  'GET /v1/instance/egress': () => [{ path: '/v1/instance/egress', status: 200, reveals: false }],
  'GET /v1/instance/deliveries': () => [{ path: '/v1/instance/deliveries', status: 200, reveals: false }],
  'GET /v1/workspace/notices': 'refused',
  'GET /v1/workspace/notices/:id': 'refused',
  'POST /v1/workspace/notices': 'refused',
  'POST /v1/workspace/notices/test': 'refused',
  'PATCH /v1/workspace/notices/:id': 'refused',
  'DELETE /v1/workspace/notices/:id': 'refused',
}

const unique = <T>(values: T[]) => [...new Set(values)]

/** The routes of the API. Those of pages and probes need no token. */
function listRoutes(): string[] {
  const { routes } = service.app.get(RouteTable)
  return unique(
    routes
      .filter(({ method, url }) => url.startsWith('/api/v1/') && method !== 'HEAD' && method !== 'OPTIONS')
      .map(({ method, url }) => `${method} ${url.slice('/api'.length)}`),
  ).sort()
}

it('lists every route of the API', () => {
  expect(Object.keys(decisions).sort()).toEqual(listRoutes())
})

it('rejects restricted tokens on routes that do not narrow their responses', async () => {
  const scopes = 'audit:read,instance:read,events:read,webhooks:read,webhooks:write'
  const { token } = await service.mint(scopes, undefined, undefined, { tags: ['own'] })
  const refused = Object.entries(decisions).filter(([, decision]) => decision === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  for (const [route] of refused) {
    const [method, path] = route.split(' ') as [string, string]
    const { status, body } = await service.call(method, path, { token })
    expect({ route, status, body }).toMatchObject({
      route,
      status: 403,
      body: { code: 'restricted', restriction: 'tags' },
    })
  }
})

const probes = Object.entries(decisions).filter(
  (entry): entry is [string, (world: TagWorld) => Probe[]] => typeof entry[1] === 'function',
)

describe.each(['single', 'several'] as const)('with a token for %s tags', (kind) => {
  it.each(probes)('%s shows nothing of foreign links', async (route, create) => {
    const [method] = route.split(' ') as [string]
    for (const probe of create(worldFor(kind))) {
      const { path, status, shows } = probe
      const options = getCallOptions(probe)
      const response = await service.call(method, path, { ...options, token: world.tokens[kind] })
      expect({ path, status: response.status, text: response.text }).toMatchObject({ path, status })
      if (shows !== undefined) expect(response.text).toContain(shows)
      expectNoSecrets(path, options, response.text)
    }
  })
})

function getCallOptions({ body, raw, headers = {} }: Probe): CallOptions {
  return { body, headers, ...(raw === undefined ? {} : { raw }) }
}

/** Each of the two tokens has created a token of its own. */
function worldFor(kind: 'single' | 'several'): TagWorld {
  if (kind === 'single') return world
  return { ...world, own: { ...world.own, childId: world.otherChildId } }
}

/** Texts of the request itself, such as a slug that is taken, tell the caller nothing. */
function expectNoSecrets(path: string, { body, raw }: CallOptions, text: string): void {
  const given = decodeURIComponent(path) + JSON.stringify(body ?? '') + String(raw ?? '')
  let shown = text
  for (const secret of [
    world.foreign.slug,
    world.foreign.externalId,
    'foreign-tag',
    ...world.secrets.slice(1),
  ])
    if (given.includes(secret)) shown = shown.replaceAll(secret, '')
  const found = world.secrets.filter((secret) => shown.includes(secret))
  expect({ path, found, text }).toEqual({ path, found: [], text })
}

it('gives the same 404 for a foreign link, webhook, event, import and token as for an unknown one', async () => {
  const { foreign, tokens } = world
  const pairs: [string, string, string][] = [
    ['GET', `/v1/links/${foreign.id}`, foreign.id],
    ['PATCH', `/v1/links/${foreign.id}`, foreign.id],
    ['DELETE', `/v1/links/${foreign.id}`, foreign.id],
    ['GET', `/v1/links/${foreign.id}/history`, foreign.id],
    ['GET', `/v1/links/${foreign.id}/analytics`, foreign.id],
    ['GET', `/v1/links/${foreign.id}/clicks`, foreign.id],
    ['GET', `/v1/links/${foreign.id}/qr`, foreign.id],
    ['GET', `/v1/links/${foreign.id}/explain`, foreign.id],
    ['GET', `/v1/links/by-slug/${foreign.slug}`, foreign.slug],
    ['GET', `/v1/webhooks/${foreign.webhookId}`, foreign.webhookId],
    ['GET', `/v1/events/${foreign.eventId}`, foreign.eventId],
    ['GET', `/v1/clicks/${foreign.clickId}/explain`, foreign.clickId],
    ['GET', `/v1/imports/${foreign.importId}`, foreign.importId],
    ['GET', `/v1/auth/token/${foreign.tokenId}`, foreign.tokenId],
  ]
  for (const [method, path, id] of pairs) {
    const unknown = id.includes('_') ? id.slice(0, -4) + '0000' : 'unknown-slug'
    const body = method === 'PATCH' ? {} : undefined
    const headers = { 'x-request-id': 'same' }
    const [one, other] = await Promise.all(
      [path, path.replace(id, unknown)].map((each) =>
        service.call(method, each, { token: tokens.single, body, headers }),
      ),
    )
    expect({ path, status: one!.status, text: one!.text }).toEqual({ path, status: 404, text: other!.text })
  }
})

it('streams only clicks of links that have one of the tags now', async () => {
  const { own, foreign, tokens } = world
  const follower = await LiveFollower.start(`${service.origin}/api/v1/clicks/live`, {
    authorization: `Bearer ${tokens.single}`,
    'last-event-id': '',
  })
  const createClick = async (id: string, slug: string) => makeClick(service, { id, slug } as LinkResponse)
  await waitFor('the click from before', () => follower.ids.includes(own.clickId))
  await createClick(foreign.id, foreign.slug)
  const newer = await createClick(own.id, own.slug)
  await waitFor('the new click', () => follower.ids.includes(newer))
  expect(new Set(follower.received.map(({ click }) => click.link_id))).toEqual(new Set([own.id]))
  await follower.disconnect()
})

it('sends only events of these links to a webhook that the token created', async () => {
  const { own, foreign } = world
  const getEventWebhooks = async (eventId: string) =>
    (await service.call('GET', `/v1/events/${eventId}`)).body.deliveries.map(
      ({ webhook_id }: { webhook_id: string }) => webhook_id,
    )
  expect(await getEventWebhooks(own.eventId)).toContain(own.webhookId)
  expect(await getEventWebhooks(foreign.eventId)).not.toContain(own.webhookId)
})

// Last, because some of these requests change the foreign link.
it('would show the foreign link to an unrestricted token', async () => {
  const isRead = ([route]: (typeof probes)[number]) => route.startsWith('GET ')
  const readsFirst = [...probes].sort((one, other) => Number(isRead(other)) - Number(isRead(one)))
  for (const [route, create] of readsFirst) {
    const [method] = route.split(' ') as [string]
    for (const probe of create(world)) {
      const { path, reveals = true } = probe
      if (!reveals) continue
      const { text } = await service.call(method, path, getCallOptions(probe))
      const found = world.secrets.some((secret) => text.includes(secret))
      expect({ route, path, found, text: found ? '' : text }).toEqual({ route, path, found: true, text: '' })
    }
  }
})
