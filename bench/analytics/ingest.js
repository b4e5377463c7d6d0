/** What the roller costs the ingest: the same batches, written by the ingester's statement, with and without it. */
import { DataSource } from 'typeorm'

import { Months } from '../../dist/analytics/rolling/months.js'
import { PlacesRepository } from '../../dist/analytics/rolling/places.repository.js'
import { Roller } from '../../dist/analytics/rolling/roller.js'
import { RunningSums } from '../../dist/analytics/rolling/running-sums.js'
import { writeClicks } from '../../dist/clicks/ingest/write-clicks.js'
import { dataSourceOptions } from '../../dist/platform/database/data-source.js'
import { newId } from '../../dist/platform/database/ids.js'
import { line, median, perSecond } from '../lib/report.js'

const clicksPerRound = 50_000
const batch = 5_000
const rounds = 5

export async function measureIngest(url) {
  const source = await new DataSource(dataSourceOptions(url, 4)).initialize()
  try {
    const links = await source.query(
      `SELECT id, workspace_id FROM links WHERE slug LIKE 'bench%' ORDER BY id`,
    )
    const [{ workspace_id }] = links
    const places = new PlacesRepository()
    const roller = new Roller(source, places, new Months(source, places), new RunningSums(source, places))
    const rates = { alone: [], rolling: [] }
    for (let round = 0; round < rounds; round++)
      for (const kind of ['alone', 'rolling']) {
        let isDone = false
        const rolling = kind === 'rolling' ? rollUntil(roller, workspace_id, () => isDone) : Promise.resolve()
        const begun = performance.now()
        for (let done = 0; done < clicksPerRound; done += batch)
          await source.transaction((tx) => writeClicks(tx, clicksOf(links)))
        rates[kind].push(clicksPerRound / ((performance.now() - begun) / 1000))
        isDone = true
        await rolling
      }
    const [alone, rolling] = [median(rates.alone), median(rates.rolling)]
    line('clicks ingested beside the roller, and without it', {
      figure: perSecond(rolling),
      baseline: perSecond(alone),
      ratio: rolling / alone,
      goal: { atLeast: 0.9 },
    })
  } finally {
    await source.destroy()
  }
}

/** As the job does: when enough clicks wait. */
async function rollUntil(roller, workspaceId, isDone) {
  while (!isDone())
    if (!(await roller.step(workspaceId))) await new Promise((resolve) => setTimeout(resolve, 1_000))
}

const words = { country: 'DE', browser: 'Firefox', os: 'Linux', device: 'desktop', language: 'de-DE' }

function clicksOf(links) {
  return Array.from({ length: batch }, (_, i) => {
    const link = links[Math.floor(Math.random() ** 4 * links.length)]
    return {
      ...words,
      id: newId(),
      workspaceId: link.workspace_id,
      linkId: link.id,
      slug: 'bench',
      url: 'https://www.example.com/articles/a-title',
      occurredAt: new Date(),
      bot: i % 5 === 0,
      referrer: null,
      referrerHost: `host${i % 300}.example`,
      region: null,
      city: `City ${i % 500}`,
      ip: '203.0.113.0',
      visitor: `visitor-${i % 3_000}`,
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      utmTerm: null,
      utmContent: null,
      source: null,
      ahead: null,
      eventId: null,
    }
  })
}
