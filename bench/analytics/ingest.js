/**
 * The cost of the roller for ingestion: writes batches with the statement of the ingester at full speed, with and
 * without the roll-up job, which runs as often as in the service.
 */
import { DataSource } from 'typeorm'

import { checkEveryMs } from '../../dist/analytics/limits.js'
import { AnalyticsLag, CheckpointsRepository } from '../../dist/analytics/rolling/checkpoints.repository.js'
import { RollJob } from '../../dist/analytics/rolling/roll.job.js'
import { Roller } from '../../dist/analytics/rolling/roller.js'
import { writeClicks } from '../../dist/clicks/ingest/write-clicks.js'
import { dataSourceOptions } from '../../dist/platform/database/data-source.js'
import { newId } from '../../dist/platform/database/ids.js'
import { line, median, perSecond } from '../lib/report.js'
import { pause } from '../lib/run.js'

const roundMs = 40_000
const batch = 5_000
const rounds = 3

export async function measureIngest(url) {
  const source = await new DataSource(dataSourceOptions(url, 4)).initialize()
  try {
    const links = await source.query(
      `SELECT id, workspace_id FROM links WHERE slug LIKE 'bench%' ORDER BY id`,
    )
    const job = new RollJob(new Roller(source, new CheckpointsRepository()), new AnalyticsLag(source))
    const rates = { alone: [], rolling: [] }
    let rolledUp = 0
    for (let round = 0; round < rounds; round++) {
      rates.alone.push(await ingest(source, links))
      const waited = await waiting(source)
      let isDone = false
      const rolling = rollUntil(job, () => isDone)
      rates.rolling.push(await ingest(source, links))
      rolledUp += waited + rates.rolling.at(-1) * (roundMs / 1000) - (await waiting(source))
      isDone = true
      await rolling
    }
    const [alone, rolling] = [median(rates.alone), median(rates.rolling)]
    line('clicks ingested with and without the roller', {
      figure: perSecond(rolling),
      baseline: perSecond(alone),
      ratio: rolling / alone,
      goal: { atLeast: 0.9 },
    })
    line('  rolled up at the same time', { figure: perSecond(rolledUp / ((rounds * roundMs) / 1000)) })
  } finally {
    await source.destroy()
  }
}

/** Returns the clicks per second. */
async function ingest(source, links) {
  const startedAt = performance.now()
  let clicks = 0
  for (; performance.now() - startedAt < roundMs; clicks += batch)
    await source.transaction((tx) => writeClicks(tx, clicksOf(links)))
  return clicks / ((performance.now() - startedAt) / 1000)
}

async function waiting(source) {
  const [{ count }] = await source.query(
    'SELECT count(*)::int FROM clicks WHERE tx >= (SELECT min(tx) FROM analytics_places)',
  )
  return count
}

async function rollUntil(job, isDone) {
  while (!isDone()) {
    const next = performance.now() + checkEveryMs
    await job.handle()
    while (!isDone() && performance.now() < next) await pause(500)
  }
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
