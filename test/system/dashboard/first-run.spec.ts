/** The dashboard of a new installation, and the dashboard for limited tokens and used codes. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { describeWithChromium } from '../../support/chromium.js'
import { copyWith, findViolations, measureOverflow, openPages, picture, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const run = promisify(execFile)

describeWithChromium('a new installation', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const openLinks = async () => (await pages.sending.service.call('GET', '/v1/links')).body.data

  it.each([
    { width: 1400, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'shows the first step on each page at $width, $colorScheme',
    async (look) => {
      const { page, context, messages } = await signedIn(pages, pages.token, '/', look)
      const wrong: string[] = []
      for (const [path, said] of [
        ['/', 'Get started'],
        ['/links', 'No links yet'],
        ['/webhooks', 'No webhooks yet'],
        ['/events', 'No events'],
      ] as const) {
        await page.goto(`${pages.origin}/dashboard${path}`)
        await page.getByText(said, { exact: true }).waitFor()
        await settled(page)
        await picture(
          page,
          `new-${said.replaceAll(' ', '-').toLowerCase()}-${look.width}-${look.colorScheme}`,
        )
        wrong.push(...(await findViolations(page)).map((finding) => `${path}: ${finding}`))
        if ((await measureOverflow(page)) > 0) wrong.push(`${path} is wider than the window`)
      }
      await context.close()
      expect(wrong).toEqual([])
      expect(messages).toEqual([])
    },
    180_000,
  )

  it('shows a first command that works, and figures once a link exists', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token)
    const steps = page.getByRole('region', { name: 'Get started' })
    const curl = await copyWith(steps.getByRole('button', { name: 'Copy as curl' }))
    expect(curl).toBe(await steps.locator('pre').textContent())
    await run('sh', ['-c', `${curl} --silent --show-error --fail-with-body`], {
      env: { PATH: process.env['PATH'], LINK_SERVICE_TOKEN: pages.sending.service.token },
    })
    expect(await openLinks()).toHaveLength(1)
    await page.getByLabel('Shorten a URL').fill('https://example.com/second')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('Human clicks', { exact: true }).first().waitFor()
    await steps.getByText('Create a short link (done)').waitFor()
    expect(await openLinks()).toHaveLength(2)
    expect(messages).toEqual([])
    await context.close()
  })

  it('checks off the first steps, then hides the checklist permanently', async () => {
    const { service } = pages.sending
    const link = await pages.api('POST', '/links', { url: 'https://example.com/first-steps' })
    // Tokens for signing in do not count.
    await service.db.query(`UPDATE tokens SET name = 'dashboard'`)
    const { page, context, messages } = await signedIn(pages, pages.token)
    const steps = page.getByRole('region', { name: 'Get started' })
    await steps.getByText('1 of 4').waitFor()
    await fetch(`${pages.origin}/${link.slug}`, { redirect: 'manual' })
    await steps.getByText('Open the short link (done)').waitFor()
    await service.call('POST', '/v1/auth/token', { body: { name: 'ci', scopes: ['links:read'] } })
    await steps.getByText('3 of 4').waitFor()
    await picture(page, 'first-steps')
    expect(await findViolations(page)).toEqual([])
    const { id } = await pages.api('POST', '/webhooks', { url: pages.sending.receiver.origin, events: ['*'] })
    await steps.waitFor({ state: 'detached' })
    await service.call('DELETE', `/v1/webhooks/${id}`)
    await page.reload()
    await page.getByText('Human clicks', { exact: true }).first().waitFor()
    await settled(page)
    expect(await steps.count()).toBe(0)
    expect(messages).toEqual([])
    await context.close()
  })

  it('offers no retry for a used sign-in code', async () => {
    const page = await pages.browser.newPage()
    await page.goto(`${pages.origin}/dashboard/#code=used`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in'])
    await page.close()
  })

  it('keeps a typed token when the session is loaded again', async () => {
    const page = await pages.browser.newPage()
    await page.route(/\/token\/self$/, (route) => route.fulfill({ status: 500 }))
    await page.goto(`${pages.origin}/dashboard/`)
    await page.getByLabel('API token').fill('lsk_typed')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByLabel('API token').inputValue()).toBe('lsk_typed')
    await page.close()
  })

  it('requests nothing that the token may not read', async () => {
    const { service } = pages.sending
    const { id, token } = await service.mint('links:read')
    const { page, context } = await signedIn(pages, token, '/')
    for (const path of ['/', '/links', '/webhooks', '/events', '/settings/tokens', '/settings/audit-log']) {
      await page.goto(`${pages.origin}/dashboard${path}`)
      await page.locator('.shell h1').waitFor()
      await settled(page)
    }
    const { body } = await service.call('GET', `/v1/audit-log?token_id=${id}&action=token.refused`)
    expect(body.data).toEqual([])
    await context.close()
  })

  it('offers no new webhook to a token that cannot read events, and shows the events of a webhook', async () => {
    const { token } = await pages.sending.service.mint('webhooks:read,webhooks:write')
    const { page, context, messages } = await signedIn(pages, token)
    await page.getByText('clicks:read').waitFor()
    const offers = [await page.getByText('Get started').count()]
    await page.goto(`${pages.origin}/dashboard/webhooks?new=1`)
    await page.getByText('No webhooks yet').waitFor()
    for (const role of ['button', 'dialog'] as const)
      offers.push(await page.getByRole(role, { name: 'Create webhook' }).count())
    expect(offers).toEqual([0, 0, 0])
    const { receiver } = pages.sending
    const { id } = await pages.api('POST', '/webhooks', { url: receiver.origin, events: ['link.created'] })
    await page.goto(`${pages.origin}/dashboard/webhooks/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const events = page.getByRole('group', { name: 'Events' })
    expect(await events.textContent()).toBe(
      'Eventslink.createdChanging events requires the scope events:read.',
    )
    expect(messages).toEqual([])
    await context.close()
  })

  it('shows names in the audit log, with links to the actions of a token', async () => {
    const { service } = pages.sending
    const { body: created } = await service.call('POST', '/v1/auth/token', {
      body: { name: 'nightly import', scopes: ['links:write'] },
    })
    const { body: link } = await service.call('POST', '/v1/links', {
      token: created.token,
      body: { url: 'https://example.com/night' },
    })
    const { page, context } = await signedIn(pages, pages.token, '/settings/audit-log')
    const row = page.getByRole('row', { name: `/${link.slug}` })
    await row.getByRole('link', { name: 'nightly import' }).click()
    await page.waitForURL(new RegExp(`token_id=${created.id}`))
    await row.getByRole('link', { name: `/${link.slug}` }).click()
    await page.waitForURL(new RegExp(`/links/${link.id}$`))
    await context.close()
  })
})
