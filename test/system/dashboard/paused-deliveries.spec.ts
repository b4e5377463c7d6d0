/** The pause of all deliveries, as users of the dashboard see it. */
import { DeliveryPauses } from '../../../src/deliveries/delivery-pause.js'
import { describeWithChromium } from '../../support/chromium.js'
import { openPages, picture } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('paused deliveries', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  it('are shown on the overview and on the pages of webhooks', async () => {
    const { receiver, service } = pages.sending
    const { id } = await pages.api('POST', '/webhooks', {
      url: `${receiver.origin}/paused`,
      events: ['click'],
    })
    const pauses = service.app.get(DeliveryPauses, { strict: false })
    await pauses.startPause('Network maintenance until 14:00 UTC.')
    for (const path of ['/', '/webhooks', `/webhooks/${id}`])
      await pages.on(path, async (page) => {
        const note = page.getByRole('status').filter({ hasText: 'paused all deliveries' })
        await note.getByText('Reason: Network maintenance until 14:00 UTC.').waitFor()
        await picture(page, `paused-deliveries-${path.split('/').length}`)
      })
    await pauses.endPause()
    await pages.on('/webhooks', async (page) => {
      await page.getByRole('row', { name: '/paused' }).waitFor()
      expect(await page.getByText('paused all deliveries').count()).toBe(0)
    })
  })
})
