/** Filters that no index has read a bounded number of 170,000 events for a page, and all pages have all matches. */
import { getEventIds, waitForCompleteFeed } from '../../support/factories/events.js'
import { makeLink } from '../../support/factories/links.js'
import { Statements } from '../../support/plans.js'
import type { Plan } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'

const spanMs = 130_000
const begin = Date.now() + 1_000
/** A page reads at most 5,000 events, their links, and 5,000 events again to find where it ends. */
const maxRowsRead = 16_000

let service: Service
let statements: Statements
let link: string
let restricted: string
let withoutTokens: string

beforeAll(async () => {
  service = await startService()
  ;({ id: link } = await makeLink(service, { tags: ['own'] }))
  ;({ token: restricted } = await service.mint(undefined, undefined, undefined, { tags: ['own'] }))
  ;({ token: withoutTokens } = await service.mint('events:read'))
  await makeLink(service)
  // Three groups of events follow the two events above: of another link, clicks of the link, and of tokens.
  for (const [at, count, columns] of [
    [1, 20_000, { type: "'link.updated'", link_id: `(SELECT link_id FROM events ORDER BY id DESC LIMIT 1)` }],
    [2, 130_000, { type: "'click'", link_id: `(SELECT link_id FROM events ORDER BY id LIMIT 1)` }],
    [3, 20_000, { type: "'token.created'", link_id: 'NULL' }],
  ] as const)
    await service.db.query(
      `INSERT INTO events (id, workspace_id, tx, type, link_id, body)
       SELECT (lpad(to_hex($2::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
         workspace_id, tx + $3::int, ${columns.type}, ${columns.link_id}, replace(body, '"link.created"', '"' || ${columns.type} || '"')
       FROM (SELECT * FROM events WHERE type = 'link.created' ORDER BY id LIMIT 1) AS sample, generate_series(1, $1::int) AS n`,
      [count, begin + at * spanMs, at],
    )
  await service.db.query('VACUUM (ANALYZE) events')
  await waitForCompleteFeed(service)
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

async function readPages(query: string, token: string, position: 'cursor' | 'after', maxPages = 500) {
  const pages: { ids: string[]; plans: Plan[] }[] = []
  let next: string | null = ''
  do {
    // eslint-disable-next-line @typescript-eslint/no-inferrable-types -- inferring it is circular
    const parameters: string = `${query}&limit=100${position === 'after' || next ? `&${position}=${next}` : ''}`
    // The generated events lack the data of their type.
    const read = () => service.call('GET', `/v1/events?${parameters}`, { token, undocumented: true })
    const { plans, result }: { plans: Plan[]; result: ServiceResponse } = await statements.collectPlans(
      read,
      /FROM events/,
    )
    pages.push({ ids: getEventIds(result), plans })
    next = result.body.has_more ? result.body.next_cursor : null
  } while (next !== null && pages.length < maxPages)
  return pages
}

describe.each(['cursor', 'after'] as const)('a list with %s', (position) => {
  it.each<[string, () => [query: string, token: string], number]>([
    ['links with a tag, a type', () => ['type=link.created', restricted], 1],
    ['links with a tag', () => [`created_before=${until(2)}`, restricted], 1],
    ['a link and a type', () => [`link_id=${link}&type=link.created`, service.token], 1],
    ['a type that the token may not read', () => ['type=token.created', withoutTokens], 0],
  ])(
    'reads a bounded number of events: %s',
    async (_, request, matches) => {
      const pages = await readPages(...request(), position)
      expect(pages.flatMap(({ ids }) => ids)).toHaveLength(matches)
      for (const { plans } of pages) for (const plan of plans) expect(plan.rowsRead).toBeLessThan(maxRowsRead)
    },
    60_000,
  )

  it('reads a bounded number of events: types that the token may read', async () => {
    const pages = await readPages('', withoutTokens, position, 6)
    expect(pages.some(({ ids }) => ids.length === 100)).toBe(true)
    for (const { plans } of pages) for (const plan of plans) expect(plan.rowsRead).toBeLessThan(maxRowsRead)
  })

  it('reads no events of the link of another workspace', async () => {
    await service.addWorkspace(`other-${position}`)
    const { token } = await service.mint(undefined, `other-${position}`)
    for (const filter of ['', '&type=link.created']) {
      const [page, ...others] = await readPages(`link_id=${link}${filter}`, token, position)
      expect([page!.ids, others]).toEqual([[], []])
      for (const plan of page!.plans) expect(plan.rowsRead).toBeLessThan(10)
    }
  })
})

/** Returns the time before the group of events. */
const until = (group: number) => encodeURIComponent(new Date(begin + group * spanMs).toISOString())
