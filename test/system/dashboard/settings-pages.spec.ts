/** The pages for tokens, the audit log and the service, and the history of a link. */
import { readFile } from 'node:fs/promises'

import { scopeDescriptions } from '../../../src/auth/scopes.js'
import { describeWithChromium } from '../../support/chromium.js'
import { fillBusyMonth } from './busy-month.js'
import type { BusyMonth } from './busy-month.js'
import {
  copySecret,
  findViolations,
  measureOverflow,
  openPages,
  picture,
  settled,
  signedIn,
} from './pages.js'
import type { Pages } from './pages.js'

const dayMs = 86_400_000

describeWithChromium('the settings pages', () => {
  let pages: Pages
  let busy: BusyMonth
  const startedAt = Date.now()
  beforeAll(async () => {
    pages = await openPages()
    busy = await fillBusyMonth(pages.sending)
  }, 120_000)
  afterAll(() => pages.stop())

  it('creates tokens with the scopes of a preset', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/settings/tokens?new=1')
    const form = page.getByRole('dialog', { name: 'Create token' })
    const scopes = form.getByRole('group', { name: 'Scopes' })
    const chosen = async () => {
      const labels = await scopes.locator('label:has(:checked)').allInnerTexts()
      return labels.map((text) => text.split('\n')[0]!.trim())
    }
    await scopes.getByText(scopeDescriptions['webhooks:write']).waitFor()
    expect(await scopes.getByText('instance:read').count()).toBe(0)
    await scopes.getByRole('button', { name: 'Full access' }).click()
    expect(await chosen()).toHaveLength(9)
    await scopes.getByRole('button', { name: 'Read-only' }).click()
    expect(await chosen()).toEqual([
      'links:read',
      'clicks:read',
      'webhooks:read',
      'events:read',
      'audit:read',
      'tokens:read',
    ])
    await scopes.getByRole('button', { name: 'CI' }).click()
    expect(await chosen()).toEqual(['links:read', 'links:write'])
    await form.getByLabel('clicks:read').check()
    expect(await scopes.locator('[aria-pressed=true]').count()).toBe(0)
    await form.getByLabel('Name').fill('pipeline')
    await form.getByRole('button', { name: 'Create token' }).click()
    await copySecret(page)
    const { data } = await pages.api('GET', '/auth/tokens')
    expect(data[0]).toMatchObject({ name: 'pipeline', scopes: ['links:read', 'links:write', 'clicks:read'] })
    expect(Date.parse(data[0].expires_at) - Date.parse(data[0].created_at)).toBe(90 * dayMs)
    expect(messages).toEqual([])
    await context.close()
  })

  it('offers 365 days for the expiry of a token, even west of UTC', async () => {
    const look = { timezoneId: 'America/Los_Angeles' }
    const { page, context } = await signedIn(pages, pages.token, '/settings/tokens?new=1', look)
    const form = page.getByRole('dialog', { name: 'Create token' })
    await form.getByLabel('Expires').selectOption('Custom date')
    const lastDay = form.getByLabel('Last day')
    const [first, last] = [await lastDay.getAttribute('min'), await lastDay.getAttribute('max')]
    expect((Date.parse(last!) - Date.parse(first!)) / dayMs).toBe(364)
    await context.close()
  })

  it('creates tokens that expire at the end of a day, but not after the current token', async () => {
    const { token, id } = await pages.sending.service.mint(
      'tokens:read,tokens:write,links:read',
      'default',
      '20d',
    )
    const { expires_at: latest } = await pages.api('GET', `/auth/token/${id}`)
    const { page, context } = await signedIn(pages, token, '/settings/tokens?new=1')
    const form = page.getByRole('dialog', { name: 'Create token' })
    const expires = form.getByLabel('Expires')
    expect(await expires.locator('option').allTextContents()).toEqual(['1 day', '7 days', 'Custom date'])
    await expires.selectOption('Custom date')
    const lastDay = form.getByLabel('Last day')
    const create = form.getByRole('button', { name: 'Create token' })
    await form.getByLabel('Name').fill('until the weekend')
    await form.getByLabel('links:read').check()
    await lastDay.fill('2020-01-01')
    await form.getByText(/^Choose a date within/).waitFor()
    expect(await create.isDisabled()).toBe(true)
    const inThreeDays = await page.evaluate<{ date: string; end: string }>(`(() => {
      const at = new Date(Date.now() + 3 * ${dayMs})
      at.setHours(23, 59, 59, 0)
      return { date: at.toLocaleDateString('sv'), end: at.toISOString() }
    })()`)
    for (const [date, end] of [
      [inThreeDays.date, inThreeDays.end],
      [await page.evaluate<string>(`new Date('${latest}').toLocaleDateString('sv')`), latest],
    ]) {
      await lastDay.fill(date)
      await create.click()
      await copySecret(page)
      const [{ expires_at: expiresAt }] = (await pages.api('GET', '/auth/tokens')).data
      const early = Date.parse(end) - Date.parse(expiresAt)
      expect(early).toBeGreaterThanOrEqual(-60_000)
      expect(early).toBeLessThan(180_000)
      await page.getByRole('button', { name: 'Create token' }).click()
      await form.getByLabel('Name').fill('until its creator expires')
      await form.getByLabel('links:read').check()
      await expires.selectOption('Custom date')
    }
    await context.close()
  })

  it('shows the details of a token from the hierarchy, and its audit log', async () => {
    const path = '/settings/tokens?view=tree'
    const { page, context, messages } = await signedIn(pages, pages.token, path)
    const open = async () => {
      await page.getByRole('link', { name: 'newsletter', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Token “newsletter”' })
      await dialog.getByText('clicks:read').waitFor()
      return dialog
    }
    await open()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const dialog = await open()
    expect(await page.getByRole('region', { name: 'Token hierarchy' }).count()).toBe(1)
    await dialog.getByRole('link', { name: 'Show audit log' }).click()
    await page.waitForURL(/\/audit-log\?token_id=tok_/)
    expect(messages).toEqual([])
    await context.close()
  })

  it('filters the audit log by date, and exports the filtered entries', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/settings/audit-log')
    // The entries are from today, even if the tests run past midnight.
    await page.clock.setFixedTime(startedAt)
    await page.getByRole('link', { name: '/spring', exact: true }).first().waitFor()
    await page.getByRole('combobox', { name: 'Action' }).selectOption('webhook.created')
    await page.getByRole('link', { name: 'Orders into the ERP' }).waitFor()
    const today = await page.evaluate<string>(`new Date().toLocaleDateString('sv')`)
    const time = page.getByRole('combobox', { name: 'Time' })
    expect(await page.getByLabel('From', { exact: true }).count()).toBe(0)
    await time.selectOption('Custom dates')
    await page.getByLabel('From', { exact: true }).fill('2030-01-01')
    await page.getByText('No audit entries match these filters').waitFor()
    await time.selectOption('Today')
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === today)
    await page.getByRole('combobox', { name: 'Action' }).selectOption('token.created')
    await page.getByRole('cell', { name: 'preview deployments' }).waitFor()
    await page.getByRole('row', { name: 'token.created' }).first().locator('[data-row]').click()
    const entry = page.getByRole('dialog', { name: 'token.created' })
    await entry.getByText('"request_id"').waitFor()
    await entry.getByRole('button', { name: 'Close' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    const { data } = await pages.api('GET', `/audit-log?action=token.created&limit=100`)
    const rows = lines.slice(1)
    expect(rows).toHaveLength(data.length)
    expect(rows.every((row) => row.includes(',token.created,token,tok_'))).toBe(true)
    await time.selectOption('Custom dates')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No audit entries match these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('cell', { name: 'newsletter' }).first().waitFor()
    expect(messages).toEqual([])
    await context.close()
  })

  it('shows who changed a link, by name', async () => {
    const ci = await pages.api('POST', '/auth/token', { name: 'release bot', scopes: ['links:write'] })
    await pages.sending.service.call('PATCH', `/v1/links/${busy.linkId}`, {
      token: ci.token,
      body: { title: 'Spring' },
    })
    const path = `/links/${busy.linkId}?tab=history`
    const { page, context } = await signedIn(pages, pages.token, path)
    const change = page.getByRole('listitem').filter({ hasText: 'release bot changed title' })
    await change.waitFor()
    expect(await change.getByText('release bot').getAttribute('title')).toBe(`release bot\n${ci.id}`)
    await page.goto(`${pages.origin}/dashboard${path}&to=2020-01-01`)
    await page.getByText('No changes match these dates').waitFor()
    await context.close()
  })

  it('does not filter the history of a link by the dates of its charts', async () => {
    const path = `/links/${busy.linkId}?from=2020-01-01&to=2020-01-31`
    const { page, context } = await signedIn(pages, pages.token, path)
    const openTab = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await openTab('Live')
    await page.waitForURL(/from=2020-01-01&to=2020-01-31&tab=live$/)
    await openTab('History')
    await page.waitForURL(/\?tab=history$/)
    await page.locator('.timeline li').first().waitFor()
    await page.goto(`${page.url()}&from=2020-01-01`)
    await openTab('Clicks')
    await page.waitForURL(({ search }) => search === '')
    await context.close()
  })

  it('shows health checks before the settings by group, on a compact page', async () => {
    for (const look of [{ width: 390 }, { width: 1400 }]) {
      const { page, context, messages } = await signedIn(pages, pages.token, '/settings/service', look)
      await page.getByText(/^\d+ checks passed$/).waitFor()
      expect(await page.getByRole('region').evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
        'Health checks',
        'Processes',
        'Processes, table',
        'Changed settings',
        'Defaults',
      ])
      const changed = page.getByRole('region', { name: 'Changed settings' }).locator('li')
      const schedule = changed.filter({ hasText: 'WEBHOOK_RETRY_SCHEDULE' })
      expect(await schedule.innerText()).toMatch(/1h,1h\s+environment/)
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      expect(height).toBeLessThan(3_000)
      const webhooks = page.getByRole('region', { name: 'Webhooks' }).locator('li')
      const timeout = webhooks.filter({ hasText: 'WEBHOOK_TIMEOUT' })
      expect(await timeout.isVisible()).toBe(false)
      await page.getByText(/^Show \d+ settings$/).click()
      expect(await timeout.innerText()).toMatch(/15s\s+default/)
      await settled(page)
      await picture(page, `service-all-${look.width}`)
      expect(await findViolations(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      expect(messages).toEqual([])
      await context.close()
    }
  })
})
