/** Under many clicks, the live view counts all, shows the last 100, and does not use more and more memory. */
import type { CDPSession, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const wave = 600
const concurrentVisits = 20
/** A wave that left its rows behind would add 500 rows of about ten nodes each. */
const maxGrowth = { bytes: 2_000_000, nodes: 1_000 }

describeWithChromium('the live view', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  async function clickOften(slug: string): Promise<void> {
    for (let done = 0; done < wave; done += concurrentVisits)
      await Promise.all(
        Array.from({ length: concurrentVisits }, async () => {
          await (await fetch(`${pages.origin}/${slug}`, { redirect: 'manual' })).arrayBuffer()
        }),
      )
  }

  const clicksShown = async (page: Page) =>
    Number(
      /([\d,]+) clicks? since you opened this/
        .exec((await page.locator('main').textContent()) ?? '')?.[1]
        ?.replaceAll(',', ''),
    )

  async function memoryUsed(devtools: CDPSession): Promise<{ bytes: number; nodes: number }> {
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes } = await devtools.send('Memory.getDOMCounters')
    return { bytes: usedSize, nodes }
  }

  it('counts each click once, and keeps at most 100 rows', async () => {
    const { body: link } = await pages.sending.service.call('POST', '/v1/links', {
      body: { url: 'https://example.com/' },
    })
    const { page, context, messages } = await signedIn(pages, pages.token, `/links/${link.id}?tab=live`)
    await page.locator('.pulse.on').waitFor()
    const devtools = await context.newCDPSession(page)
    const show = async (total: number) => {
      await clickOften(link.slug)
      // Ingest waits for redirects when the machine is busy.
      await waitFor('all clicks', async () => (await clicksShown(page)) === total, 120_000)
      expect(await page.locator('.live li').count()).toBe(100)
    }
    await show(wave)
    await show(2 * wave)
    const before = await memoryUsed(devtools)
    await show(3 * wave)
    // The browser frees the replaced list with a delay.
    await waitFor('the memory of the third wave to be freed', async () => {
      const now = await memoryUsed(devtools)
      return now.bytes - before.bytes < maxGrowth.bytes && now.nodes - before.nodes < maxGrowth.nodes
    })
    expect(messages).toEqual([])
    await context.close()
  }, 420_000)
})
