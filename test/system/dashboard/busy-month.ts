/** Creates links, the clicks of 60 days, tokens, and a working, a broken and a paused webhook. */
import { DataSource } from 'typeorm'

import { type NewClick, clickPartitions } from '../../../src/clicks/click.entity.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import { createPartitions, partitionsBetween } from '../../../src/platform/database/partitions.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { dayMs, Random } from '../../support/click-world.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

export interface BusyMonth {
  linkId: string
  webhookId: string
  deliveryId: string
  eventId: string
}

/** The path at which the receiver responds with an error. */
export const brokenPath = '/erp/incoming'
/** The path at which the receiver does not respond. */
export const hangingPath = '/billing/events'

/** A webhook that fails in another way. Its URL can be a path of the receiver. */
export type FailingHook = readonly [url: string, description: string]

const clickCount = 9_000
const batch = 1_000
const days = 60

const links = [
  [
    'spring',
    'https://shop.example/collections/spring?utm_source=newsletter',
    'Spring collection',
    ['sale', 'mail'],
  ],
  ['start', 'https://docs.example/getting-started', 'Getting started', ['docs']],
  ['jobs', 'https://company.example/careers', 'We are hiring', ['people']],
  ['v2', 'https://blog.example/2026/11/version-two', 'Version two is out', ['launch', 'blog']],
  ['poster-berlin', 'https://shop.example/berlin', 'Poster in Berlin', ['print']],
  ['status', 'https://status.example/', 'Status page', ['docs']],
  ['webinar', 'https://events.example/webinar/scaling-postgres', 'Webinar: scaling PostgreSQL', ['launch']],
  [
    'k7Qm2xz',
    'https://shop.example/products/very-long-name-of-a-product-with-many-words-in-its-address?variant=42',
    null,
    [],
  ],
] as const

export async function fillBusyMonth(
  sending: Sending,
  failing: readonly FailingHook[] = [],
): Promise<BusyMonth> {
  const { service, receiver } = sending
  const hook = async (path: string, description: string, events = ['*']) =>
    (
      await service.call('POST', '/v1/webhooks', {
        body: { url: new URL(path, receiver.origin).href, events, description },
      })
    ).body.id as string
  const broken = await hook(brokenPath, 'Orders into the ERP')
  await hook('/analytics/clicks', 'Warehouse of the data team', ['click', 'link.created'])
  const paused = await hook('/crm/contacts', 'CRM, while it moves', ['link.created', 'link.deleted'])
  await service.call('PATCH', `/v1/webhooks/${paused}`, { body: { status: 'paused' } })
  const others: string[] = []
  for (const [path, description] of failing) others.push(await hook(path, description, ['link.created']))
  const { body: report, text } = await service.call('POST', '/v1/links/bulk', {
    body: {
      links: [
        ...links.map(([slug, url, title, tags]) => ({ slug, url, title, tags })),
        ...Array.from({ length: 30 }, (_, i) => ({
          url: `https://shop.example/products/${1_000 + i * 37}`,
          tags: i % 3 === 0 ? ['sale'] : [],
          ...(i === 4 ? { enabled: false, slug: 'W'.repeat(64) } : {}),
        })),
      ],
    },
  })
  if (report.created === undefined) throw new Error(`No links were created: ${text}`)
  const created = report.results.map(({ link }: { link: { id: string; slug: string } }) => link)
  await recordClicks(sending, created)
  await createTokens(sending)
  const attempted = (id: string) =>
    waitFor('an attempted delivery', async () => {
      const { body } = await service.call('GET', `/v1/webhooks/${id}/deliveries?limit=100`)
      return body.data.find((each: any) => each.attempt_count > 0)
    })
  for (const id of others) await attempted(id)
  const delivery = await attempted(broken)
  return { linkId: created[0].id, webhookId: broken, deliveryId: delivery.id, eventId: delivery.event_id }
}

async function createTokens({ service }: Sending): Promise<void> {
  const create = async (token: string, name: string, scopes: string[], expiresIn?: string) =>
    (
      await service.call('POST', '/v1/auth/token', {
        token,
        body: { name, scopes, ...(expiresIn ? { expires_in: expiresIn } : {}) },
      })
    ).body as { id: string; token: string }
  const ci = await create(service.token, 'ci', ['tokens:write', 'links:read', 'links:write'])
  await create(ci.token, 'preview deployments', ['links:write'], '30d')
  await create(ci.token, 'release notes', ['links:read'], '7d')
  await create(service.token, 'newsletter', ['links:read', 'links:write', 'clicks:read'], '90d')
  await service.call('POST', `/v1/auth/token/${ci.id}/rotate`, { body: { overlap: '24h' } })
}

async function recordClicks(
  { service }: Sending,
  created: readonly { id: string; slug: string }[],
): Promise<void> {
  const random = new Random(7)
  const identities: Awaited<ReturnType<typeof readIdentity>>[] = []
  for (const link of created) identities.push(await readIdentity(service, link as never))
  const database = service.app.get(DataSource)
  const now = Date.now()
  await database.transaction((tx) =>
    createPartitions(
      tx,
      partitionsBetween(clickPartitions, new Date(now - (days + 1) * dayMs), new Date(now)),
    ),
  )
  for (let done = 0; done < clickCount; done += batch) {
    const clicks = Array.from({ length: batch }, () =>
      createClick(
        identities[Math.floor(random.nextNumber() ** 3 * identities.length)]!,
        createDetails(random, now),
      ),
    )
    await database.transaction((tx) => writeClicks(tx, clicks))
  }
}

const origins = [
  ['DE', 'de-DE', 'DE-BE', 'Berlin'],
  ['DE', 'de-DE', 'DE-BY', 'Munich'],
  ['US', 'en-US', 'US-NY', 'New York'],
  ['US', 'en-US', 'US-CA', 'San Francisco'],
  ['GB', 'en-GB', 'GB-ENG', 'London'],
  ['FR', 'fr-FR', 'FR-IDF', 'Paris'],
  ['AT', 'de-AT', 'AT-9', 'Vienna'],
  ['JP', 'ja-JP', 'JP-13', 'Tokyo'],
  ['BR', 'pt-BR', 'BR-SP', null],
  ['IN', 'en-IN', null, null],
  ['NL', 'nl-NL', 'NL-NH', 'Amsterdam'],
  ['PL', 'pl-PL', 'PL-14', 'Warsaw'],
  ['SE', 'sv-SE', 'SE-AB', 'Stockholm'],
] as const
const machines = [
  ['Chrome', 'Windows', 'desktop'],
  ['Chrome', 'Android', 'mobile'],
  ['Safari', 'iOS', 'mobile'],
  ['Safari', 'macOS', 'desktop'],
  ['Firefox', 'Linux', 'desktop'],
  ['Microsoft Edge', 'Windows', 'desktop'],
] as const
const referrers = [
  'news.ycombinator.com',
  'www.google.com',
  'github.com',
  'www.linkedin.com',
  'duckduckgo.com',
]
const campaigns = ['spring', 'launch-v2', 'newsletter-46']

/** Returns a random click. Most clicks are recent, in the daytime and on weekdays. */
function createDetails(random: Random, now: number): Partial<NewClick> {
  let occurredAt: Date
  do occurredAt = new Date(now - Math.floor(random.nextNumber() ** 1.3 * days * dayMs))
  while (random.nextNumber() > getWeight(occurredAt))
  const [country, language, region, city] = random.pick(origins)
  const [browser, os, device] = random.pick(machines)
  const isBot = random.chance(0.12)
  const referrerHost = random.chance(0.6) ? random.pick(referrers) : null
  return {
    id: lowestIdAt(occurredAt).slice(0, 13) + newId().slice(13),
    occurredAt,
    bot: isBot,
    country,
    region,
    city,
    referrer: referrerHost && `https://${referrerHost}/`,
    referrerHost,
    visitor: `v${random.nextInteger(4_000)}`,
    ...(isBot ? {} : { language, browser, os, device }),
    utmCampaign: random.chance(0.3) ? random.pick(campaigns) : null,
    source: random.chance(0.08) ? 'qr' : null,
  }
}

function getWeight(at: Date): number {
  const hour = at.getUTCHours()
  const byHour = hour < 6 ? 0.2 : hour < 9 ? 0.6 : hour < 19 ? 1 : 0.5
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
  return byHour * (isWeekend ? 0.4 : 1)
}
