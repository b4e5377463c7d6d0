/** The filter in SQL and the filter in TypeScript agree with a plain evaluation for random filters and events. */
import { compileFilter, conditions } from '../../../src/events/webhook-filter.js'
import type { FilteredEvent, WebhookFilter } from '../../../src/events/webhook-filter.js'
import { newId } from '../../../src/platform/database/ids.js'
import { Random } from '../../support/click-world.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'

const count = 4_000

let db: TestDatabase
beforeAll(async () => (db = await createDatabase()))
afterAll(() => db.drop())

const random = new Random(7)
const linkIds = Array.from({ length: 4 }, newId)
const tags = ['sale', 'mail', 'Sale', '', "it's", '"quoted"', 'ä ö', '🌱', '{x,y}', 'null']
const fields = ['url', 'title', 'tags', 'enabled']

function pickSome<T>(items: readonly T[], atLeast: number): T[] {
  const chosen = items.filter(() => random.chance(0.3))
  return chosen.length < atLeast ? [random.pick(items)] : chosen
}

function randomFilter(): WebhookFilter | null {
  if (random.chance(0.1)) return null
  return {
    ...(random.chance(0.5) && { link_ids: pickSome(linkIds, 1) }),
    ...(random.chance(0.5) && { tags: pickSome(tags, 1) }),
    ...(random.chance(0.5) && { human_only: true as const }),
    ...(random.chance(0.5) && { changed_fields: pickSome(fields, 1) }),
  }
}

function randomEvent(): FilteredEvent {
  const link = { id: '', tags: pickSome(tags, 0), title: 'T' }
  const linkId = random.pick(linkIds)
  switch (random.nextInteger(5)) {
    case 0:
      return { type: 'link.created', linkId, data: { link } }
    case 1:
      return { type: 'link.deleted', linkId, data: { link } }
    case 2: {
      const names = pickSome(fields, 0)
      const previous = Object.fromEntries(
        names.map((name) => [name, name === 'tags' ? pickSome(tags, 0) : null]),
      )
      return { type: 'link.updated', linkId, data: { link, previous } }
    }
    case 3:
      return { type: 'click', linkId, data: { click: { bot: random.chance(0.5) }, link } }
    default:
      return {
        type: 'webhook.failing',
        linkId: null,
        data: { webhook: { id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' } },
      }
  }
}

/** Written from the documentation, without regard to speed. */
function plainEvaluation(
  filter: WebhookFilter | null,
  restrictedTags: readonly string[] | null,
  { type, linkId, data }: FilteredEvent,
): string | null {
  const haveCommon = (a: readonly string[], b: readonly string[]) => a.some((each) => b.includes(each))
  const unmet = {
    restricted_tags: restrictedTags !== null && !haveCommon(restrictedTags, data.link?.tags ?? []),
    link_ids: linkId !== null && filter?.link_ids !== undefined && !filter.link_ids.includes(linkId),
    tags:
      linkId !== null &&
      filter?.tags !== undefined &&
      !haveCommon(filter.tags, [...data.link!.tags, ...(data.previous?.tags ?? [])]),
    human_only: type === 'click' && filter?.human_only === true && data.click!.bot,
    changed_fields:
      type === 'link.updated' &&
      filter?.changed_fields !== undefined &&
      !haveCommon(filter.changed_fields, Object.keys(data.previous!)),
  }
  return conditions.find((condition) => unmet[condition]) ?? null
}

it('agree with a plain evaluation', async () => {
  const samples = Array.from({ length: count }, () => ({
    filter: randomFilter(),
    restrictedTags: random.chance(0.3) ? pickSome(tags, 1) : null,
    event: randomEvent(),
  }))
  const expected = samples.map(({ filter, restrictedTags, event }) =>
    plainEvaluation(filter, restrictedTags, event),
  )
  // Each condition excludes some events, and some pass.
  expect(new Set(expected)).toEqual(new Set([...conditions, null]))

  const inTypeScript = samples.map(({ filter, restrictedTags, event }) =>
    compileFilter({ webhookId: newId(), filter, restrictedTags })(event),
  )
  expect(inTypeScript).toEqual(expected)

  const rows = await db.query<{ unmet: string | null }>(
    `SELECT unmet_condition(
       nullif(sample -> 'filter', 'null'),
       (SELECT array_agg(tag) FROM jsonb_array_elements_text(nullif(sample -> 'restrictedTags', 'null')) AS tag),
       sample #>> '{event,type}', (sample #>> '{event,linkId}')::uuid, (sample -> 'event')::json) AS unmet
     FROM unnest($1::jsonb[]) WITH ORDINALITY AS given (sample, position) ORDER BY position`,
    [samples],
  )
  expect(rows.map(({ unmet }) => unmet)).toEqual(expected)
})

it('passes an event about the webhook itself to a webhook of a restricted token', () => {
  const webhookId = '019aa43e-12e2-71b0-8d03-c1d8d65a9e9f'
  const event: FilteredEvent = {
    type: 'webhook.failing',
    linkId: null,
    data: { webhook: { id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' } },
  }
  const find = (id: string) => compileFilter({ webhookId: id, filter: null, restrictedTags: ['sale'] })(event)
  expect([find(webhookId), find(newId())]).toEqual([null, 'restricted_tags'])
})
