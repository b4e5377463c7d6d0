/** The live view of a link under many clicks: it shows the last ones, counts all, and holds no more than before. */
import type { CDPSession, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const wave = 600
const atOnce = 20
const mostGrownBytes = 2_000_000

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
    const afterWave = []
    for (const total of [wave, 2 * wave, 3 * wave]) {
      await clickOften(link.slug)
      // Ingest gives way to visitors where the machine has no time left.
      await waitFor('all clicks to have come', async () => (await seen(page)) === total, 120_000)
      expect(await page.locator('.live li').count()).toBe(100)
      afterWave.push(await held(devtools))
    }
    const [, second, third] = afterWave
    expect(third!.bytes - second!.bytes).toBeLessThan(mostGrownBytes)
    expect(third!.nodes - second!.nodes).toBeLessThan(1_000)
    expect(messages).toEqual([])
    await context.close()
  }, 420_000)
})
