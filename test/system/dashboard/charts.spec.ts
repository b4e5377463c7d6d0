/** Charts end now, show values at the pointer, and zoom to a selected period. */
import type { Locator, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openBusyPages, picture, settled, signedIn } from './pages.js'
import type { BusyPages } from './pages.js'

describeWithChromium('charts', () => {
  let pages: BusyPages
  beforeAll(async () => {
    pages = await openBusyPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const rows = (page: Page) => page.locator('.chart tbody tr')

  /** Moves the pointer over the chart until `isDone`. A redrawn chart notices the pointer only when it moves. */
  async function hover(page: Page, share: number, isDone: () => Promise<boolean>): Promise<void> {
    let moves = 0
    await waitFor('the readout', async () => {
      const place = await page.locator('.u-over').boundingBox()
      if (place) await page.mouse.move(place.x + place.width * share, place.y + 20 + (moves++ % 2))
      return isDone()
    })
  }

  it('ends at the current time and marks the bucket in progress', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=12mo', { timezoneId: 'UTC' })
    await settled(page)
    const names = await rows(page).locator('td:first-child').allTextContents()
    expect(names.filter((name) => name.endsWith(', so far'))).toEqual([names.at(-1)])
    const start = await page.evaluate<string>('new Date().toISOString()')
    const { data } = await pages.api('GET', '/analytics?interval=12mo&group_by=time&granularity=week')
    expect(names).toHaveLength(data.filter((row: any) => row.start <= start).length)
    await context.close()
  })

  it('shows date, values and change of the nearest bucket', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=7d')
    await settled(page)
    const readout = page.locator('.readout')
    const expected = await rows(page).nth(3).locator('td').allTextContents()
    await hover(page, 0.46, async () => (await readout.count()) > 0)
    expect(await readout.locator('.readout-title').textContent()).toBe(expected[0])
    expect(await readout.locator('b').allTextContents()).toEqual(expected.slice(1))
    expect(await readout.locator('.readout-change').textContent()).toMatch(/^[↑↓] [\d.]+%$|^no change$/)
    // The crosshair is on the bucket, not at the pointer.
    const line = (await page.locator('.u-cursor-x').boundingBox())!
    const place = (await page.locator('.u-over').boundingBox())!
    expect(Math.abs(line.x - (place.x + place.width / 2))).toBeLessThan(2)
    await picture(page, 'chart-readout')
    await context.close()
  })

  it('is drawn again in the colors of another theme', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=7d')
    await settled(page)
    const drawing = () => page.evaluate<string>('document.querySelector(".plot canvas").toDataURL()')
    const light = await drawing()
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await waitFor('the new colors', async () => (await drawing()) !== light)
    await context.close()
  })

  it('says "no earlier data" at the pointer', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=90d')
    await settled(page)
    await hover(page, 0.5, async () => (await page.locator('.readout').count()) > 0)
    expect(await page.locator('.readout-change').textContent()).toBe('no earlier data')
    await context.close()
  })

  it.each([
    ['days', '/?interval=30d', /[?&]from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/],
    ['hours', '/?interval=24h', /[?&]from=\d{4}-\d\d-\d\dT\d\d&to=\d{4}-\d\d-\d\dT\d\d$/],
  ])('zooms to the %s across which the pointer is dragged', async (_unit, path, url) => {
    const { page, context, messages } = await signedIn(pages, pages.token, path)
    await settled(page)
    const place = (await page.locator('.u-over').boundingBox())!
    const count = await rows(page).count()
    const at = (index: number) => place.x + (place.width * index) / (count - 1)
    const name = async (row: Locator) =>
      (await row.locator('td').first().textContent())!.replace(', so far', '')
    const ends = [await name(rows(page).nth(5)), await name(rows(page).nth(9))]
    await page.mouse.move(at(5) + 2, place.y + 40)
    await page.mouse.down()
    await page.mouse.move(at(7), place.y + 60)
    await page.mouse.move(at(9) - 2, place.y + 60)
    await page.mouse.up()
    await page.waitForURL(url)
    await settled(page)
    await waitFor('the zoomed chart', async () => (await rows(page).count()) === 5)
    expect([await name(rows(page).first()), await name(rows(page).last())]).toEqual(ends)
    await page.goBack()
    await page.waitForURL(new RegExp(`${path.slice(2)}$`))
    expect(messages).toEqual([])
    await context.close()
  })
})
