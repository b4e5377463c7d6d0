/** Clicks in compact form, with a reference to the destination, are returned like clicks in full form. */
import { DataSource } from 'typeorm'

import type { NewClick } from '../../../src/clicks/click.entity.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { VisitorErasure } from '../../../src/clicks/visitor-erasure.js'
import { encodeId } from '../../../src/platform/database/ids.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const target = 'https://target.example/page?x=1'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const write = (clicks: readonly NewClick[]) =>
  service.app.get(DataSource).transaction((tx) => writeClicks(tx, clicks))
const stored = (link: LinkResponse): Promise<any[]> =>
  service.db.query(
    'SELECT clicks.* FROM clicks JOIN links ON links.id = link_id WHERE links.slug = $1 ORDER BY clicks.id',
    [link.slug],
  )
/** Waits for the clicks, because the feed waits for open transactions. */
const read = (path: string, count: number): Promise<any[]> =>
  waitFor(`${count} clicks`, async () => {
    const { data } = (await service.call('GET', path)).body
    return data.length >= count ? data.sort((a: any, b: any) => (a.id < b.id ? -1 : 1)) : null
  })
const getUrls = (clicks: any[]) => clicks.map(({ url }) => url as string | null)

/** Creates a link with enough clicks to store its destination separately. */
async function makeClickedLink() {
  const link = await makeLink(service, { url: target, forward_query: true })
  const identity = await readIdentity(service, link)
  for (let i = 0; i < 5; i++) await write([createClick(identity, { url: target })])
  return { link, identity }
}

it('the destination of a clicked link is stored once, and later clicks refer to it', async () => {
  const { link, identity } = await makeClickedLink()
  await write([createClick(identity, { url: target })])
  expect(getUrls(await stored(link))).toEqual([...Array<string>(5).fill(target), null])
  for (const path of [`/v1/links/${link.id}/clicks`, `/v1/clicks?link_id=${link.id}`]) {
    const clicks = await read(path, 6)
    expect(clicks.map(({ slug, url }) => ({ slug, url }))).toEqual(
      Array(6).fill({ slug: link.slug, url: target }),
    )
  }
})

it('a click keeps the destination at the time of the visit', async () => {
  const { link, identity } = await makeClickedLink()
  await write([createClick(identity, { url: target })])
  const other = 'https://target.example/other'
  await service.call('PATCH', `/v1/links/${link.id}`, { body: { url: other } })
  for (let i = 0; i < 2; i++) await write([createClick(identity, { url: other })])
  await write([createClick(identity, { url: target })])

  expect(getUrls(await stored(link)).slice(-4)).toEqual([null, other, null, null])
  expect(getUrls(await read(`/v1/links/${link.id}/clicks`, 9)).slice(-4)).toEqual([
    target,
    other,
    other,
    target,
  ])
  await service.call('DELETE', `/v1/links/${link.id}`)
  const feed = await read(`/v1/clicks?link_id=${link.id}`, 9)
  expect(getUrls(feed).slice(-4)).toEqual([target, other, other, target])
})

it('the query of a visitor is stored only with the click', async () => {
  const { link } = await makeClickedLink()
  for (let i = 0; i < 3; i++) {
    await visit(service, `${link.slug}?visitor=anna`)
    await waitFor('the visit', async () => (await stored(link)).length === 6 + i)
  }
  expect(getUrls(await stored(link)).slice(-3)).toEqual(Array(3).fill(`${target}&visitor=anna`))
  expect(await service.db.query(`SELECT url FROM click_targets WHERE url LIKE '%anna%'`)).toEqual([])
})

it('stores at most 100 destinations of a link separately, and others with the click', async () => {
  const { link, identity } = await makeClickedLink()
  await service.db.query(
    `INSERT INTO click_targets (link_id, slug, url) SELECT $1, 'old', 'https://target.example/' || n
     FROM generate_series(1, 99) AS n`,
    [identity.linkId],
  )
  const url = 'https://target.example/one-more'
  await service.call('PATCH', `/v1/links/${link.id}`, { body: { url } })
  for (let i = 0; i < 3; i++) await write([createClick(identity, { url })])
  expect(getUrls(await stored(link)).slice(-3)).toEqual(Array(3).fill(url))
})

it.each([
  ['https://news.example/today?x=1', 'news.example', '/today?x=1'],
  ['https://news.example/', 'news.example', '/'],
  ['https://news.example//twice', 'news.example', '//twice'],
  ['https://news.example', 'news.example', 'https://news.example'],
  ['https://news.example?x', 'news.example', 'https://news.example?x'],
  ['https://news.example:8443/x', 'news.example', 'https://news.example:8443/x'],
  ['https://NEWS.example/x', 'news.example', 'https://NEWS.example/x'],
  ['https://anna@news.example/x', 'news.example', 'https://anna@news.example/x'],
  ['http://news.example/x', 'news.example', 'http://news.example/x'],
  ['android-app://com.example/', null, 'android-app://com.example/'],
  ['/path', null, '/path'],
  [null, null, null],
])('the referrer %s is returned as it was sent', async (referrer, referrerHost, short) => {
  const link = await makeLink(service)
  await write([createClick(await readIdentity(service, link), { referrer, referrerHost })])
  expect(await stored(link)).toMatchObject([{ referrer: short }])
  for (const path of [`/v1/links/${link.id}/clicks`, `/v1/clicks?link_id=${link.id}`])
    expect(await read(path, 1)).toMatchObject([{ referrer, referrer_host: referrerHost }])
})

it('erasing a visitor keeps the destination that all clicks of the link share', async () => {
  const { link, identity } = await makeClickedLink()
  const fields = {
    url: target,
    referrer: 'https://news.example/x',
    referrerHost: 'news.example',
    visitor: 'anna',
  }
  const [erased, other] = ['anna', 'another'].map((visitor) => createClick(identity, { ...fields, visitor }))
  const added = createClick(identity, { ...fields, url: `${target}&visitor=anna` })
  await write([erased!, other!, added])
  const erasure = new VisitorErasure(service.app.get(DataSource))
  expect(await erasure.eraseVisitorOfClick(encodeId('clk', erased!.id))).toBe(2)
  expect((await read(`/v1/links/${link.id}/clicks`, 8)).slice(-3)).toMatchObject([
    { slug: link.slug, url: target, referrer: null, referrer_host: 'news.example', visitor: null },
    { url: target, referrer: 'https://news.example/x', visitor: 'another' },
    { url: 'https://target.example/page', referrer: null, visitor: null },
  ])
})

it('concurrent writers of the same destinations write each click once', async () => {
  const links = await Promise.all(Array.from({ length: 20 }, () => makeLink(service)))
  const identities: Awaited<ReturnType<typeof readIdentity>>[] = []
  for (const link of links) identities.push(await readIdentity(service, link))
  for (let round = 0; round < 8; round++) {
    const batches = [identities, [...identities].reverse()].map((each) => each.map((one) => createClick(one)))
    await Promise.all(batches.map((batch) => write(batch)))
  }
  for (const [i, link] of links.entries()) {
    const clicks = await stored(link)
    expect(clicks).toHaveLength(16)
    expect(clicks.at(-1)).toMatchObject({ url: null, target_id: expect.any(Number) })
    const storedTargets = 'SELECT id FROM click_targets WHERE link_id = $1'
    expect(await service.db.query(storedTargets, [identities[i]!.linkId])).toHaveLength(1)
  }
})
