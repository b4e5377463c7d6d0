/** Clicks with random values slow down neither the roller nor queries. */
import { DataSource } from 'typeorm'

import { dimensions } from '../../../src/analytics/dimensions.js'
import { lowestIdAt } from '../../../src/platform/database/ids.js'
import { ClickWorld, Random, dayMs } from '../../support/click-world.js'
import { countRounds } from '../../support/rounds.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const clicks = countRounds(750_000, 40_000)
const clicksPerTransaction = 5_000
const clicksPerRound = 20_000
/** The targets are 2,000 and 300 ms. A normal run is more lenient because other processes use the machine. */
const minClicksPerSecond = countRounds(2_000, 500)
const maxQueryMs = countRounds(300, 1_000)

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(1))
  await world.makeLinks(3)
})
afterAll(() => service.stop())

/** Puts a fifth of the clicks on an earlier day, so that today's values are compared with that day's values. */
const occurredAt = (click: number) => new Date(world.now - (click < clicks / 5 ? 2 * dayMs : 0))

async function recordRandomClicks(from: number): Promise<void> {
  const time = occurredAt(from)
  await service.app.get(DataSource).query(
    `INSERT INTO clicks (id, tx, workspace_id, link_id, slug, url, occurred_at, bot, visitor,
       referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
     SELECT ($5 || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid, pg_current_xact_id()::text::bigint, $1,
       ($2::uuid[])[1 + n % 3], 'slug', 'https://target.example/', $6, false, n::text,
       md5(n || 'h') || '.example', md5(n || 'a'), md5(n || 'b'), md5(n || 'c'), md5(n || 'd'), md5(n || 'e')
     FROM generate_series($3::int, $4::int) AS n`,
    [
      world.links[0]!.workspaceId,
      world.links.map(({ linkId }) => linkId),
      from,
      from + clicksPerTransaction - 1,
      lowestIdAt(time).slice(0, 13),
      time,
    ],
  )
}

it('rolls up clicks with random values at the target rate', async () => {
  await world.makePartition(occurredAt(0))
  const seconds: number[] = []
  for (let done = 0; done < clicks; done += clicksPerRound) {
    for (let i = 0; i < clicksPerRound; i += clicksPerTransaction) await recordRandomClicks(done + i)
    const startedAt = performance.now()
    await world.rollAll()
    seconds.push((performance.now() - startedAt) / 1_000)
  }
  const rate = Math.round(clicks / seconds.reduce((sum, each) => sum + each))
  console.log(
    `${rate} clicks per second; each round took ${seconds.map((each) => each.toFixed(1)).join(', ')} s`,
  )
  expect(rate).toBeGreaterThan(minClicksPerSecond)
}, 1_800_000)

it.each([
  ['the workspace', () => '/v1/analytics', [...dimensions, 'tag']],
  ['a link', () => `/v1/links/${world.links[0]!.id}/analytics`, dimensions.slice(0, -1)],
])(
  'responds to every query of %s within the target time',
  async (_, path, groups) => {
    const queries = [
      '',
      ...['time', ...groups].map((group) => `&group_by=${group}`),
      '&utm_source=unknown',
      '&timezone=Asia/Kathmandu&group_by=utm_source',
    ]
    const times: { ms: number; query: string }[] = []
    for (const interval of ['24h', '30d', '12mo'])
      for (const query of queries) {
        const tries: number[] = []
        for (let i = 0; i < 3; i++) {
          const startedAt = performance.now()
          await service.call('GET', `${path()}?interval=${interval}${query}`)
          tries.push(performance.now() - startedAt)
        }
        times.push({ ms: tries.sort((one, other) => one - other)[1]!, query: interval + query })
      }
    times.sort((one, other) => other.ms - one.ms)
    console.log(
      times
        .slice(0, 5)
        .map(({ ms, query }) => `${ms.toFixed(0)} ms: ${query}`)
        .join('\n'),
    )
    expect(times[0]!.ms).toBeLessThan(maxQueryMs)
  },
  300_000,
)
