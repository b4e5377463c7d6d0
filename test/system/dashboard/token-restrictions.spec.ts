/** The restrictions of a token: their fields, presets and errors, and where they are shown. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsInEveryLook } from './looks.js'
import { copySecret, openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const form = (page: Page) => page.getByRole('dialog', { name: 'Create token' })
const disclosure = (page: Page) => form(page).locator('summary', { hasText: 'Restrict' })
const create = (page: Page) => form(page).getByRole('button', { name: 'Create token' })

describeWithChromium('the restrictions of a token', () => {
  let pages: Pages
  beforeAll(
    async () => void (pages = await openPages(undefined, { WORKSPACE_RATE_LIMIT: '6000/1m' })),
    120_000,
  )
  afterAll(() => pages.stop())

  const newest = async () => (await pages.api('GET', '/auth/tokens')).data[0]

  it('are set in a part of the form that is closed at first', async () => {
    await pages.on('/settings/tokens?new=1', async (page) => {
      await form(page).getByLabel('Name').fill('gateway')
      await form(page).getByLabel('links:read').check()
      expect(await form(page).getByLabel('Allowed IP addresses').isVisible()).toBe(false)
      await disclosure(page).click()
      await form(page).getByLabel('Allowed IP addresses').fill('203.0.113.7, 2001:db8::/32')
      await form(page).getByLabel('Only links with one of these tags').fill('partner,sale,')
      await form(page).getByLabel('Rate limit', { exact: true }).fill('20')
      await form(page).getByLabel('Rate limit, per').selectOption('per hour')
      await form(page).getByLabel('Valid from').fill('12026-01-01T08:00')
      await create(page).click()
      expect(await form(page).locator('input:invalid').count()).toBe(1)
      await form(page).getByLabel('Valid from').fill('2026-01-01T08:00')
      await create(page).click()
      await copySecret(page)
      const start = await page.evaluate<string>(`new Date('2026-01-01T08:00').toISOString()`)
      expect((await newest()).restrictions).toEqual({
        allowed_ips: ['203.0.113.7/32', '2001:db8::/32'],
        not_before: start,
        rate_limit: '20/1h',
        tags: ['partner', 'sale'],
      })
    })
  })

  it('are shown in the list, in the hierarchy and in the details of the token', async () => {
    await pages.on('/settings/tokens', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'gateway' })
      const cell = row.locator('[data-name="Restrictions"]')
      expect(await cell.textContent()).toMatch(/^2 networks, 2 tags, 20\/hour, from 1 Jan/)
      expect((await cell.getAttribute('title'))?.split('\n')).toEqual([
        'from 203.0.113.7, 2001:db8::/32',
        'tags partner, sale',
        '20 requests per hour',
        expect.stringMatching(/^valid from 1 Jan/),
      ])
      await row.getByRole('button', { name: 'gateway', exact: true }).click()
      const details = page.getByRole('dialog', { name: 'Token “gateway”' })
      for (const text of ['203.0.113.7', '2001:db8::/32', 'partner', 'sale', '20 requests per hour'])
        await details.getByText(text, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Hierarchy' }).click()
      await page.getByText('restricted', { exact: true }).waitFor()
    })
  })

  it('come with a preset, which requires its restriction', async () => {
    await pages.on('/settings/tokens?new=1', async (page) => {
      await form(page).getByLabel('Name').fill('spring campaign')
      await form(page).getByRole('button', { name: 'Campaign' }).click()
      await form(page)
        .getByText(/^Manages the links with the tag/)
        .waitFor()
      expect(await create(page).isDisabled()).toBe(true)
      await form(page).getByLabel('Only links with one of these tags').fill('spring,')
      await create(page).click()
      await copySecret(page)
    })
    expect(await newest()).toMatchObject({
      scopes: ['links:read', 'links:write', 'clicks:read'],
      restrictions: { allowed_ips: null, not_before: null, rate_limit: null, tags: ['spring'] },
    })
  })

  it('are inherited, and the form says so', async () => {
    const { token } = await pages.api('POST', '/auth/token', {
      name: 'agency',
      scopes: ['tokens:read', 'tokens:write', 'links:read'],
      restrictions: { tags: ['agency'], rate_limit: '60/1m' },
    })
    const { page, context } = await signedIn(pages, token, '/settings/tokens?new=1')
    await disclosure(page).click()
    await form(page)
      .getByText('The new token also has the restrictions of your token: tag agency; 60 requests per minute.')
      .waitFor()
    expect(await form(page).getByRole('button', { name: 'Campaign' }).count()).toBe(0)
    await form(page).getByLabel('Name').fill('too much')
    await form(page).getByLabel('links:read').check()
    await form(page).getByLabel('Only links with one of these tags').fill('other,')
    await create(page).click()
    await form(page).getByRole('alert').waitFor()
    await context.close()
  })

  it('are accessible in every look, with the error of each field', async () => {
    const findings = await findingsInEveryLook(
      pages,
      '/settings/tokens?new=1',
      'token-restrictions',
      async (page) => {
        await form(page).getByLabel('Name').fill('ci')
        await form(page).getByRole('button', { name: 'CI server' }).click()
        await form(page).getByLabel('Allowed IP addresses').fill('203.0.113.0/33')
        await form(page).getByLabel('Rate limit', { exact: true }).fill('100000000')
        await form(page).getByLabel('Only links with one of these tags').fill('sale,')
        await disclosure(page).click()
        await create(page).click()
        await form(page)
          .getByText(/^Must be a list of 1 to 20 IP networks/)
          .waitFor()
        await form(page)
          .getByText(/^Must not exceed the limit of the workspace/)
          .waitFor()
      },
    )
    expect(findings).toEqual([])
  })

  it.each([
    ['token-list', '/settings/tokens'],
    ['token-hierarchy', '/settings/tokens?view=tree'],
  ])('are accessible in the %s in every look', async (name, path) => {
    const findings = await findingsInEveryLook(pages, path, name, (page) =>
      page.getByText('spring campaign').first().waitFor(),
    )
    expect(findings).toEqual([])
  })

  it('are accessible in the details of a token in every look', async () => {
    const { data } = await pages.api('GET', '/auth/tokens')
    const { id } = data.find(({ name }: any) => name === 'gateway')
    const findings = await findingsInEveryLook(
      pages,
      `/settings/tokens?token=${id}`,
      'token-details',
      (page) => page.getByText('20 requests per hour', { exact: true }).waitFor(),
    )
    expect(findings).toEqual([])
  })
})
