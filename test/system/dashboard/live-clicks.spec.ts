/** The live view of a link under many clicks: it shows the last ones, counts all, and holds no more than before. */
import type { CDPSession, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const wave = 600
const atOnce = 20
/** Rows that a wave leaves behind would be 500, of some ten nodes each. */
const mostGrown = { bytes: 2_000_000, nodes: 1_000 }

describeWithChromium('the live view', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  async function clickOften(slug: string): Promise<void> {
    for (let done = 0; done < wave; done += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          await (await fetch(`${pages.origin}/${slug}`, { redirect: 'manual' })).arrayBuffer()
        }),
      )
  }

  const seen = async (page: Page) =>
    Number(
      /([\d,]+) since you opened this/
        .exec((await page.locator('main').textContent()) ?? '')?.[1]
        ?.replaceAll(',', ''),
    )

  async function held(devtools: CDPSession): Promise<{ bytes: number; nodes: number }> {
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes } = await devtools.send('Memory.getDOMCounters')
    return { bytes: usedSize, nodes }
  }

  it('shows each click once, and holds a hundred however many come', async () => {
    const { body: link } = await pages.sending.service.call('POST', '/v1/links', {
      body: { url: 'https://example.com/' },
    })
    const { page, context, messages } = await signedIn(pages, pages.token, `/links/${link.id}?tab=live`)
    await page.getByText('Listening').waitFor()
    const devtools = await context.newCDPSession(page)
    const show = async (total: number) => {
      await clickOften(link.slug)
      // Ingest gives way to visitors where the machine has no time left.
      await waitFor('all clicks to have come', async () => (await seen(page)) === total, 120_000)
      expect(await page.locator('.live li').count()).toBe(100)
    }
    await show(wave)
    await show(2 * wave)
    const before = await held(devtools)
    await show(3 * wave)
    // The browser collects the list that was replaced last a moment later.
    await waitFor('the third wave to hold no more than the second', async () => {
      const now = await held(devtools)
      return now.bytes - before.bytes < mostGrown.bytes && now.nodes - before.nodes < mostGrown.nodes
    })
    expect(messages).toEqual([])
    await context.close()
  }, 420_000)
})
