/**
 * Compares what receivers got with a plain evaluation of filters and tags: random webhooks, links and clicks, while the
 * API and workers are killed. SEED repeats a run.
 */
import { Random } from '../../support/click-world.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { countRounds } from '../../support/rounds.js'
import { waitFor } from '../../support/wait-for.js'
import { FilterRig } from './filter-rig.js'
import { FilterWorld } from './filter-world.js'
import type { Occurrence, WorldWebhook } from './filter-world.js'
import { explanations } from './plain-filter.js'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = countRounds(15, 1)
const explained = countRounds(200, 40)
/** The lanes of a killed worker are free after 8 seconds, and rejected deliveries are retried every few seconds. */
const timeoutMs = 60_000

let rig: FilterRig
let world: FilterWorld
const random = new Random(seed)
beforeAll(async () => {
  rig = await FilterRig.start(new Random(seed + 1))
  world = new FilterWorld(rig, random)
}, 120_000)
afterAll(() => rig.stop(), 60_000)

it(
  `sends exactly the events that pass the filters of each webhook (SEED=${seed})`,
  async () => {
    await world.createLinks(8)
    for (let i = 0; i < 10; i++) await world.createWebhook()
    for (let round = 0; round < rounds; round++) {
      await world.act(15)
      await world.changeDuringKill()
      await world.changeFilter()
      await world.createWebhook()
      await Promise.all([rig.replaceWorker(), world.act(20)])
      await world.visitDuringKill()
      await world.act(5)
      await world.resumeToggled()
      expect(await findFaults()).toEqual([])
    }
  },
  60_000 + rounds * 120_000,
)

it(
  `explains which condition excluded an event (SEED=${seed})`,
  async () => {
    const eventIds = await readEventIds()
    const excluded = world.occurrences.flatMap((occurrence, index) =>
      [...occurrence.exclusions].flatMap(([webhook, exclusion]) => {
        const id = eventIds.get(occurrence)
        return exclusion && id && webhook.changedAt <= index ? [{ id, webhook, exclusion }] : []
      }),
    )
    expect(excluded.length).toBeGreaterThan(20)
    for (let i = 0; i < explained; i++) {
      const { id, webhook, exclusion } = random.pick(excluded)
      const path = `/v1/events/${id}/explain?webhook_id=${webhook.id}`
      const explanation = await rig.callFor(200, 'GET', path)
      expect({ id, ...explanation }).toMatchObject({
        id,
        reason: exclusion === 'events' ? 'not_subscribed' : 'filtered',
        sentence: expect.stringContaining(explanations[exclusion]),
        delivery: null,
      })
    }
  },
  60_000 + rounds * 10_000,
)

it(`explains why a click has no event (SEED=${seed})`, async () => {
  await world.filterByOneLink()
  const first = world.occurrences.length
  await world.visitLinks(30)
  const unwanted = world.occurrences.slice(first).flatMap(({ visit, exclusions }) => {
    const click = world.clicks.get(visit!)!
    return click.event_id === null ? [{ click, exclusions }] : []
  })
  expect(unwanted.length).toBeGreaterThan(10)
  for (const { click, exclusions } of unwanted) {
    const subscribers = [...exclusions].filter(([, exclusion]) => exclusion !== 'events')
    const explanation = await rig.callFor(200, 'GET', `/v1/clicks/${click.id}/explain`)
    expect({ id: click.id, ...explanation }).toMatchObject({
      id: click.id,
      event_id: null,
      data: [],
      reason: subscribers.length > 0 ? 'filtered' : 'not_wanted',
    })
    for (const [, exclusion] of subscribers.slice(0, 1))
      expect(explanation.sentence).toContain(explanations[exclusion!])
  }
}, 60_000)

/** Waits for all deliveries, and describes each event that is missing or should not have been sent. */
async function findFaults(): Promise<string[]> {
  const ids = await readEventIds()
  const wantedBy = new Map(world.webhooks.map((webhook) => [webhook, readWantedIds(webhook, ids)]))
  const describeMissing = () =>
    [...wantedBy].flatMap(([webhook, wanted]) => {
      const received = new Set(rig.readReceived(webhook.path).map(({ id }) => id))
      const missing = webhook.isPaused ? [] : [...wanted].filter((id) => !received.has(id))
      return missing.map((id) => `${id} is missing: ${JSON.stringify(webhook)}`)
    })
  const isComplete = () => describeMissing().length === 0
  await waitFor('all events to arrive', isComplete, timeoutMs).catch(() => undefined)
  await waitFor('the pending deliveries', hasNothingPending, timeoutMs)
  const faults = [...describeMissing(), ...describeClickFaults(ids)]
  for (const [webhook, wanted] of wantedBy) {
    const sent = rig.readSentIds(webhook.path)
    const held = webhook.isPaused ? await readHeldIds(webhook) : []
    if (webhook.isPaused && sent.size > 0) faults.push(`Something was sent to ${JSON.stringify(webhook)}`)
    for (const id of [...sent, ...held])
      if (!wanted.has(id)) faults.push(`${id} is not for ${JSON.stringify(webhook)}`)
    if (webhook.isPaused && held.length < wanted.size)
      faults.push(`${held.length} of ${wanted.size} events are held for ${JSON.stringify(webhook)}`)
    faults.push(...describeSequenceFaults(webhook))
  }
  return faults
}

function readWantedIds(webhook: WorldWebhook, ids: Map<Occurrence, string>): Set<string> {
  const wanted = world.occurrences.filter(({ exclusions }) => exclusions.get(webhook) === null)
  return new Set(wanted.map((occurrence) => ids.get(occurrence) ?? 'a click without an event'))
}

/** Returns the event IDs of all occurrences. Changes of a link are in the feed in the order of the changes. */
async function readEventIds(): Promise<Map<Occurrence, string>> {
  // Open transactions of the workers hold back the newest events.
  await waitForCompleteFeed(rig)
  const ofLinks = new Map<string, { id: string; type: string }[]>()
  for await (const event of readAll('/v1/events?after=', 'after')) {
    const id = event.data.link?.id
    if (id && event.type !== 'click') ofLinks.set(id, [...(ofLinks.get(id) ?? []), event])
  }
  const ids = new Map<Occurrence, string>()
  for (const occurrence of world.occurrences) {
    const { event, visit } = occurrence
    const recorded = visit === null ? ofLinks.get(event.linkId)?.shift() : undefined
    const id = visit === null ? recorded?.id : world.clicks.get(visit)?.event_id
    if (visit === null && recorded?.type !== event.type)
      throw new Error(`${event.linkId} has ${recorded?.type} instead of ${event.type}`)
    if (id) ids.set(occurrence, id)
  }
  // No event is left: an update that changes nothing creates none.
  expect([...ofLinks.values()].flat()).toEqual([])
  return ids
}

/** A click has an event if and only if a webhook wants it. */
function describeClickFaults(ids: Map<Occurrence, string>): string[] {
  const clicks = world.occurrences.filter(({ visit }) => visit !== null)
  const faults = clicks.flatMap((occurrence) => {
    const isWanted = [...occurrence.exclusions.values()].includes(null)
    return ids.has(occurrence) === isWanted ? [] : [`click ${occurrence.visit} has an event: ${!isWanted}`]
  })
  if (world.clicks.size > clicks.length) faults.push('More clicks were recorded than visits were made')
  return faults
}

/** Sequence numbers have no gaps, and an ordered webhook gets them in order. */
function describeSequenceFaults({ path, isOrdered }: WorldWebhook): string[] {
  const first = new Map<string, number>()
  for (const { id, sequence } of rig.readReceived(path)) if (!first.has(id)) first.set(id, sequence)
  const sequences = [...first.values()]
  const inOrder = isOrdered ? sequences : sequences.toSorted((a, b) => a - b)
  return inOrder.every((sequence, i) => sequence === i + 1)
    ? []
    : [`${path} got the sequences ${sequences.join()}`]
}

async function readHeldIds({ id }: WorldWebhook): Promise<string[]> {
  const held: string[] = []
  for await (const { event_id } of readAll(`/v1/webhooks/${id}/deliveries?status=held`, 'cursor'))
    held.push(event_id)
  return held
}

async function hasNothingPending(): Promise<boolean> {
  const rows = await rig.db.query(
    `SELECT FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
     WHERE deliveries.status = 'pending' AND webhooks.status = 'active' LIMIT 1`,
  )
  return rows.length === 0
}

async function* readAll(path: string, parameter: 'after' | 'cursor'): AsyncGenerator<any> {
  for (let next = '', hasMore = true; hasMore;) {
    const query =
      parameter === 'after' ? `${path}${next}&limit=100` : `${path}&limit=100${next && `&cursor=${next}`}`
    const page = await rig.callFor(200, 'GET', query)
    yield* page.data
    next = page.next_cursor
    hasMore = page.has_more
  }
}
