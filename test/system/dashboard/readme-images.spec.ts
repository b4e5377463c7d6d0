/** README_IMAGES=true takes the screenshots of the README again: the overview, in light and dark mode. */
import { describeWithChromium } from '../../support/chromium.js'
import { fillBusyMonth } from './busy-month.js'
import { openPages, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const takesPictures = process.env['README_IMAGES'] === 'true'
const isTaken = takesPictures ? it : it.skip

describeWithChromium('the screenshots of the README', () => {
  let pages: Pages | undefined
  beforeAll(async () => {
    if (!takesPictures) return
    pages = await openPages()
    await fillBusyMonth(pages.sending)
  }, 300_000)
  afterAll(() => pages?.stop())

  isTaken.each(['light', 'dark'] as const)(
    'show the overview in %s mode, with README_IMAGES=true',
    async (colorScheme) => {
      const { page, context, messages } = await signedIn(pages!, pages!.token, '/', { colorScheme })
      await settled(page)
      await page.screenshot({ path: `docs/images/overview-${colorScheme}.png` })
      expect(messages).toEqual([])
      await context.close()
    },
  )
})
