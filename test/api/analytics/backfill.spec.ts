/** Many clicks that wait at once, as when an installation's older clicks are counted. */
import { DataSource } from 'typeorm'

import { clicksPerStep } from '../../../src/analytics/limits.js'
import { Months } from '../../../src/analytics/rolling/months.js'
import { RollingPlacesRepository } from '../../../src/analytics/rolling/rolling-places.repository.js'
import { Roller } from '../../../src/analytics/rolling/roller.js'
import { RunningSums } from '../../../src/analytics/rolling/running-sums.js'
import { clickPartitions } from '../../../src/clicks/click.entity.js'
import { makePartitions, partitionsBetween } from '../../../src/platform/database/partitions.js'
import { identityOf } from '../../support/factories/clicks.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const dayMs = 86_400_000
/** Three transactions with as many make two steps. */
const clicksOfOne = Math.ceil((clicksPerStep * 2) / 3)

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it('months and sums wait for all of them, whichever roller takes them', async () => {
  const source = service.app.get(DataSource)
  const places = new RollingPlacesRepository()
  const [months, sums] = [new Months(source, places), new RunningSums(source, places)]
  const roller = new Roller(source, places, months, sums)
  const { linkId, workspaceId } = await identityOf(service, await makeLink(service))
  const day = new Date(Math.floor(Date.now() / dayMs - 90) * dayMs)
  await source.transaction((tx) => makePartitions(tx, partitionsBetween(clickPartitions, day, day)))
  for (let part = 0; part < 3; part++)
    await source.query(
      `INSERT INTO clicks (id, tx, workspace_id, link_id, slug, url, occurred_at, bot)
       SELECT (lpad(to_hex($1::bigint), 12, '0') || '7' || $2 || '008' || lpad(n::text, 15, '0'))::uuid,
         pg_current_xact_id()::text::bigint, $3, $4, 'slug', 'https://target.example/', to_timestamp($1 / 1000.0), false
       FROM generate_series(1, $5::int) AS n`,
      [day.getTime(), String(part), workspaceId, linkId, clicksOfOne],
    )
  await waitFor('every open transaction of the server to end', async () => {
    const [{ isOver }] = await source.query<[{ isOver: boolean }]>(
      'SELECT max(tx) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "isOver" FROM clicks',
    )
    return isOver
  })
  await waitFor('the first step', async () => {
    await roller.step(workspaceId)
    const [place] = await service.db.query<{ months_until: Date | null }>('SELECT * FROM analytics_places')
    return place?.months_until
  })

  expect(await months.step(workspaceId)).toBe(false)
  expect(await sums.step(workspaceId)).toBe(false)
  await waitFor('the others', async () => {
    await roller.run(true)
    const [place] = await service.db.query<{ sums_until: Date | null }>('SELECT * FROM analytics_places')
    return place!.sums_until
  })
  const { totals } = (await service.call('GET', '/v1/analytics?interval=12mo')).body
  expect(totals.clicks).toBe(clicksOfOne * 3)
})
