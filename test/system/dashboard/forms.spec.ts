/** Submits each form with invalid and with valid values, and checks the result in the API. */
import type { Locator, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { copySecret, openPages, rejectFields } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the dashboard', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages(({ path }, response) =>
      path.startsWith('/broken')
        ? void response.writeHead(500).end('the disk is full')
        : void response.end('thanks'),
    )
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
  const isClosed = (form: Locator) => form.waitFor({ state: 'detached' })

  const on: Pages['on'] = (path, work) => pages.on(path, work)
  const press = (within: Page | Locator, name: string | RegExp) =>
    within.getByRole('button', { name, exact: typeof name === 'string' }).click()

  it('shows invalid fields of a link, and saves valid ones', async () => {
    const link = await api('POST', '/links', { url: 'https://example.com/', slug: 'edited' })
    const read = () => api('GET', `/links/${link.id}`)
    await on(`/links/${link.id}`, async (page) => {
      await press(page, 'Edit')
      const form = dialog(page, 'Edit link “/edited”')
      await form.getByLabel('Destination').fill('ftp://example.com/')
      await press(form, 'Save changes')
      await form.locator('.field-error').waitFor()
      expect(await read()).toEqual(link)
      await form.getByLabel('Destination').fill('https://example.com/new')
      await form.getByLabel('Tags').fill('one, two')
      await press(form, 'Save changes')
      await isClosed(form)
      expect(await read()).toMatchObject({ url: 'https://example.com/new', tags: ['one', 'two'] })
    })
  })

  it('tags, expires and deletes only the selected links', async () => {
    const report = await api('POST', '/links/bulk', {
      links: ['bulk-a', 'bulk-b', 'bulk-c'].map((slug) => ({
        slug,
        url: 'https://example.com/',
        tags: ['x'],
      })),
    })
    const ids: string[] = report.results.map(({ link }: any) => link.id)
    const read = () => Promise.all(ids.map((id) => api('GET', `/links/${id}`)))
    await on('/links?q=bulk-', async (page) => {
      const select = async () => {
        for (const slug of ['bulk-a', 'bulk-b']) await page.getByLabel(`Select ${slug}`).check()
      }
      const apply = async (action: string, title: string, label: RegExp, value: string) => {
        await press(page, action)
        const form = dialog(page, title)
        await form.getByLabel(label).fill(value)
        await press(form, 'Apply to 2 links')
        return form
      }
      await select()
      const refused = await apply('Add tags', 'Add tags', /^Tags/, 't'.repeat(51))
      await refused.locator('.field-error').waitFor()
      await press(refused, /^Remove t/)
      await refused.getByLabel(/^Tags/).fill('sale, spring')
      await press(refused, 'Apply to 2 links')
      await page.getByText('Tagged 2 links.').waitFor()
      const tags = ['x', 'sale', 'spring']
      expect((await read()).map((link) => link.tags)).toEqual([tags, tags, ['x']])

      await select()
      const past = await apply('Set expiry', 'Set expiry', /^Expires at/, '12090-01-01T00:00')
      expect(await past.locator('input:invalid').count()).toBe(1)
      await past.getByLabel(/^Expires at/).fill('2020-01-01T00:00')
      await press(past, 'Apply to 2 links')
      await past.locator('.field-error').waitFor()
      await past.getByLabel(/^Expires at/).fill('2090-01-01T00:00')
      await press(past, 'Apply to 2 links')
      await page.getByText('Set the expiry of 2 links.').waitFor()
      expect((await read()).map((link) => link.expires_at !== null)).toEqual([true, true, false])

      await select()
      await press(page, 'Delete')
      await press(dialog(page, 'Delete 2 links?'), 'Delete 2 links')
      await page.getByText('Deleted 2 links').waitFor()
      await page.getByLabel('Select bulk-a').waitFor({ state: 'detached' })
      expect(await page.getByLabel('Select bulk-c').isChecked()).toBe(false)
      await page.reload()
      await waitFor('the deletion', async () => (await api('GET', '/links?q=bulk-')).data.length === 1)
      expect((await api('GET', '/links?q=bulk-')).data.map(({ slug }: any) => slug)).toEqual(['bulk-c'])
    })
  })

  it('changes the other selected links if some fail, says why, and keeps the failed links selected', async () => {
    const full = Array.from({ length: 20 }, (_, index) => `tag-${index}`)
    const links = [{ slug: 'partly-a' }, { slug: 'partly-full', tags: full }, { slug: 'partly-gone' }]
    for (const link of links) await api('POST', '/links', { ...link, url: 'https://example.com/' })
    const read = (slug: string) => api('GET', `/links/by-slug/${slug}`)
    await on('/links?q=partly-', async (page) => {
      for (const { slug } of links) await page.getByLabel(`Select ${slug}`).check()
      await api('DELETE', `/links/${(await read('partly-gone')).id}`)
      await press(page, 'Add tags')
      const form = dialog(page, 'Add tags')
      await form.getByLabel(/^Tags/).fill('sale')
      await press(form, 'Apply to 3 links')
      await page
        .getByText(/^Tagged 1 link, 2 failed\..* more than 20 tags\..*Deleted links cannot be changed\.$/)
        .waitFor()
      expect((await read('partly-a')).tags).toEqual(['sale'])
      await page.getByText('1 link selected').waitFor()
      expect(await page.getByLabel('Select partly-full').isChecked()).toBe(true)

      await press(page, 'Add tags')
      await form.getByLabel(/^Tags/).fill('sale')
      await press(form, 'Apply to 1 link')
      await form
        .getByRole('alert')
        .getByText(/more than 20 tags/)
        .waitFor()
      expect((await read('partly-full')).tags).toEqual(full)
    })
  })

  it('reloads the list if all selected links have been deleted by others', async () => {
    const slugs = ['gone-a', 'gone-b']
    for (const slug of slugs) await api('POST', '/links', { slug, url: 'https://example.com/' })
    await on('/links?q=gone-', async (page) => {
      for (const slug of slugs) {
        await page.getByLabel(`Select ${slug}`).check()
        await api('DELETE', `/links/${(await api('GET', `/links/by-slug/${slug}`)).id}`)
      }
      await press(page, 'Disable')
      await page.getByText('Deleted links cannot be changed.').waitFor()
      await page.getByText('No links match these filters').waitFor()
      expect(await page.getByText('links selected').count()).toBe(0)
    })
  })

  it('shows a rotated token once, and keeps both tokens valid during the overlap', async () => {
    const { service } = pages.sending
    const old = await api('POST', '/auth/token', { name: 'rotated', scopes: ['links:read'] })
    const works = async (token: string) =>
      (await service.call('GET', '/v1/auth/token/self', { token })).status === 200
    await on('/settings/tokens', async (page) => {
      await press(page, 'Actions of rotated')
      await press(page, 'Rotate')
      const form = dialog(page, 'Rotate token “rotated”')
      await form.getByLabel('Old token works for').fill('soon')
      await press(form, 'Rotate token')
      await form.locator('.field-error').waitFor()
      await form.getByLabel('Old token works for').fill('1h')
      await press(form, 'Rotate token')
      const token = await dialog(page, 'New token').locator('[data-secret]').textContent()
      await copySecret(page)
      expect(await page.content()).not.toContain(token)
      expect([await works(old.token), await works(token!)]).toEqual([true, true])
      const { expires_at } = (await service.call('GET', '/v1/auth/token/self', { token: old.token })).body
      expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000)
    })
  })

  it('keeps the old secret signing during the overlap after a rotation', async () => {
    const hook = await api('POST', '/webhooks', {
      url: `${pages.sending.receiver.origin}/signed`,
      events: ['*'],
    })
    await on(`/webhooks/${hook.id}`, async (page) => {
      await press(page, 'More actions')
      await press(page, 'Rotate secret')
      const form = dialog(page, 'Rotate signing secret')
      await form.getByLabel('Old secret signs for').fill('100 years')
      await press(form, 'Rotate secret')
      await form.locator('.field-error').waitFor()
      expect((await api('GET', `/webhooks/${hook.id}`)).secret_rotation).toBeNull()
      await form.getByLabel('Old secret signs for').fill('2h')
      await press(form, 'Rotate secret')
      const secret = await dialog(page, 'New signing secret').locator('[data-secret]').textContent()
      await copySecret(page)
      await page.getByText('old secret valid for').waitFor()
      const after = await api('GET', `/webhooks/${hook.id}`)
      expect(secret!.endsWith(after.secret_hint.replace(/^\W+/, ''))).toBe(true)
      expect(after.secret_rotation).not.toBeNull()
      await api('DELETE', `/webhooks/${hook.id}`)
    })
  })

  it('rejects an invalid time for a replay, shows the number of deliveries, and sends them', async () => {
    const { receiver } = pages.sending
    const hook = await api('POST', '/webhooks', {
      url: `${receiver.origin}/replayed`,
      events: ['link.created'],
    })
    for (const slug of ['r-1', 'r-2', 'r-3'])
      await api('POST', '/links', { slug, url: 'https://example.com/' })
    const stats = () => api('GET', `/webhooks/${hook.id}/stats`)
    await waitFor('the deliveries', async () => (await stats()).succeeded === 3)
    await on(`/webhooks/${hook.id}?tab=replay`, async (page) => {
      await press(page, 'Custom')
      // The year has one digit too many.
      await page.getByLabel('From').fill('12026-01-02T10:00')
      await page.locator('.field-error').waitFor()
      await page.getByLabel('From').fill('2026-01-02T10:00')
      await page.locator('.field-error').waitFor({ state: 'detached' })
      await page.getByLabel('Until').fill('2026-01-01T10:00')
      await page.locator('.field-error').waitFor()
      await page.getByLabel('Until').fill('')
      await page.getByText('No deliveries to replay in this time range.').waitFor()
      await page.getByLabel('All deliveries').check()
      await page.getByText('3 deliveries will be sent.').waitFor()
      await press(page, '1 hour')
      await page.getByText('3 deliveries will be sent.').waitFor()
      expect(receiver.requestsTo('/replayed')).toHaveLength(3)
      await press(page, 'Replay 3 deliveries')
      await page.getByText('Replaying 3 deliveries.').waitFor()
    })
    await waitFor('the replayed deliveries', () => receiver.requestsTo('/replayed').length === 6)
    await api('DELETE', `/webhooks/${hook.id}`)
  })

  it('names the field of an error that no field shows, without its JSON pointer', async () => {
    const errors = [{ pointer: '/events/0', code: 'invalid_events', detail: 'Must be a known type.' }]
    await on('/webhooks?new=1', async (page) => {
      await rejectFields(page, '/webhooks', errors)
      await page.getByLabel('Endpoint URL').fill('https://example.com/hook')
      await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
      const alert = page.getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toBe('Events: Must be a known type.')
    })
  })

  it('shows no past times for deliveries that wait for a failing receiver', async () => {
    const { receiver } = pages.sending
    const hook = await api('POST', '/webhooks', {
      url: `${receiver.origin}/broken`,
      events: ['link.created'],
    })
    const links = Array.from({ length: 40 }, (_, i) => ({ url: `https://example.com/waits-${i}` }))
    await api('POST', '/links/bulk', { links })
    const stats = () => api('GET', `/webhooks/${hook.id}/stats`)
    await waitFor('the circuit to open', async () => (await stats()).circuit !== 'closed')
    await on(`/webhooks/${hook.id}?status=pending`, async (page) => {
      await page.locator('tbody tr').first().waitFor()
      const next = await page.locator('tbody td[data-name="Next attempt"]').allTextContents()
      expect(next.filter((text) => text.includes('ago'))).toEqual([])
    })
    await api('DELETE', `/webhooks/${hook.id}`)
  })
})
