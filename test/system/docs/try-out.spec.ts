/** The prefilled requests of the page at /docs succeed. Those that change data succeed twice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'

import { describeWithChromium, startChromium } from '../../support/chromium.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const timeoutMs = 60_000
/**
 * The redirect would leave the page, a sent delivery cannot be skipped, the event of the filter test must exist, and a
 * test of notices is possible once every ten seconds.
 */
const skippedOperations = ['followLink', 'skipDelivery', 'testWebhookFilter', 'testNotices']
/** The example webhook would receive the later events, and a revoked token cannot be used again. */
const last = ['createWebhook', 'revokeOwnToken']

describeWithChromium('the page at /docs', () => {
  let dataDir: string
  let service: ServiceProcess
  let receiver: Receiver
  let browser: Browser
  let page: Page
  let errors: string[]
  let token: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'docs-'))
    receiver = await startReceiver()
    service = await startProcess({
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    })
    token = service.firstToken!
    browser = await startChromium()
  }, 4 * timeoutMs)
  afterAll(async () => {
    await browser.close()
    await service.stop()
    await receiver.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  beforeEach(() => {
    errors = []
  })

  const request = async (method: string, path: string, body?: object) =>
    (await call(service.origin, method, path, { token, body })).body

  async function open(width: number, prepare?: (page: Page) => Promise<unknown>): Promise<void> {
    for (const each of browser.contexts()) await each.close()
    page = await browser.newPage({ viewport: { width, height: 900 } })
    page.setDefaultTimeout(timeoutMs)
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await prepare?.(page)
    // The page calls only the host that the document names.
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/docs`)
    await page.waitForSelector('.opblock')
  }

  /** Opens the page with the operations of one tag. Swagger UI redraws all operations at each change, which is slow. */
  async function openTag(tag: string): Promise<void> {
    const part = await request('GET', `/openapi/${tag.toLowerCase().replaceAll(' ', '-')}.json`)
    await open(1400, (opened) => opened.route('**/openapi.json', (route) => route.fulfill({ json: part })))
  }

  async function authorize(value: string): Promise<void> {
    await page.click('.scheme-container .btn.authorize')
    const logOut = page.locator('.modal-ux .btn-done ~ button, .modal-ux button', { hasText: 'Logout' })
    if ((await logOut.count()) > 0) await logOut.first().click()
    await page.fill('.modal-ux input', value)
    await page.click('.modal-ux .btn.authorize')
    await page.click('.modal-ux .btn-done')
  }

  /** Creates the object that the call needs, and returns its parameters. */
  async function parametersFor(path: string): Promise<Record<string, string>> {
    const { id: webhookId } = await request('POST', '/v1/webhooks', {
      url: `${receiver.origin}/hooks`,
      events: ['link.created'],
    })
    if (path.startsWith('/v1/auth/'))
      return { id: (await request('POST', '/v1/auth/token', { name: 'x' })).id }
    if (path.startsWith('/v1/imports/')) return { id: await importedId() }
    if (path.startsWith('/v1/workspace/notices/')) {
      const target = { type: 'slack', address: `${receiver.origin}/hooks` }
      return { id: (await request('POST', '/v1/workspace/notices', target)).id }
    }
    const { id: linkId, slug } = await request('POST', '/v1/links', { url: 'https://example.com' })
    if (path.startsWith('/v1/links/')) return { id: linkId, slug }
    if (path.startsWith('/v1/clicks/')) return { id: await createClick(linkId, slug) }
    const [event] = (await request('GET', `/v1/events?type=link.created&link_id=${linkId}`)).data
    if (path.startsWith('/v1/events/')) return { id: event.id }
    const [delivery] = (await request('GET', `/v1/webhooks/${webhookId}/deliveries`)).data
    return { id: webhookId, delivery_id: delivery.id }
  }

  async function importedId(): Promise<string> {
    const file = { raw: 'url\nhttps://example.com\n', headers: { 'content-type': 'text/csv' } }
    return (await call(service.origin, 'POST', '/v1/imports', { token, ...file })).body.id
  }

  async function createClick(linkId: string, slug: string): Promise<string> {
    await fetch(`${service.origin}/${slug}`, { redirect: 'manual' })
    const of = `/v1/links/${linkId}/clicks`
    const [click] = await waitFor('the click', async () => {
      const { data } = await request('GET', of)
      return data.length > 0 && data
    })
    return click.id
  }

  async function execute(operationId: string, path: string, method: string): Promise<number> {
    const block = page.locator(`.opblock[id$="-${operationId}"]`)
    const values = path.includes('{') ? await parametersFor(path) : {}
    for (const [name, value] of Object.entries(values)) {
      const field = block.locator(`tr[data-param-name="${name}"] input`)
      if ((await field.count()) > 0) await field.fill(value)
    }
    const [response] = await Promise.all([
      page.waitForResponse((candidate) => candidate.request().method() === method.toUpperCase()),
      block.locator('.btn.execute').click(),
    ])
    return response.status()
  }

  it(
    'sends every prefilled request with success, and twice if it changes data',
    async () => {
      const document = await request('GET', '/openapi.json')
      const operations = Object.entries<any>(document.paths)
        .flatMap(([path, methods]) =>
          Object.entries<any>(methods).map(([method, { operationId, tags }]) => {
            return { path, method, operationId, tag: tags[0] as string }
          }),
        )
        .filter(({ operationId }) => !skippedOperations.includes(operationId))
        .sort((a, b) => last.indexOf(a.operationId) - last.indexOf(b.operationId))
      const refused: string[] = []
      let shownTag = ''
      for (const { path, method, operationId, tag } of operations) {
        if (tag !== shownTag) {
          await openTag(tag)
          await authorize(token)
          shownTag = tag
        }
        const summary = page.locator(`.opblock[id$="-${operationId}"] .opblock-summary-control`)
        await summary.click()
        for (const time of method === 'get' ? ['only'] : ['first', 'second']) {
          if (operationId === 'revokeOwnToken')
            await authorize((await request('POST', '/v1/auth/token', { name: 'short' })).token)
          const status = await execute(operationId, path, method)
          if (status < 200 || status >= 300) refused.push(`${operationId}, ${time} time: ${status}`)
        }
        // Open operations slow the page down, because it redraws them at each change.
        await summary.click()
      }
      expect(refused).toEqual([])
      expect(errors).toEqual([])
    },
    10 * timeoutMs,
  )

  it('shows code samples in tabs, remembers the language, and copies the sample', async () => {
    await openTag('Links')
    const { origin } = new URL(page.url())
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    const block = page.locator('.opblock[id$="-createLink"]')
    await block.locator('.opblock-summary-control').click()
    const sample = block.locator('.samples pre')
    expect(await sample.textContent()).toContain('curl -X POST')
    await block.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await sample.textContent()).toContain('client.links.create({')
    await block.locator('.samples .copy').click()
    await block.locator('.samples .copy', { hasText: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await sample.textContent())
    await page.reload()
    await block.locator('.samples').waitFor()
    expect(await block.locator('.samples').getByRole('tab', { selected: true }).textContent()).toBe(
      'TypeScript',
    )
    expect(errors).toEqual([])
  })

  it('copies the code of the introduction', async () => {
    await openTag('Links')
    const { origin } = new URL(page.url())
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    const code = page.locator('.intro .code', { hasText: '/v1/links' })
    await code.locator('.copy').click()
    await code.locator('.copy', { hasText: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await code.locator('pre').textContent(),
    )
  })

  describe('with all operations', () => {
    beforeAll(() => open(1400), timeoutMs)

    it('lists the operations in the order of the document', async () => {
      const document = await request('GET', '/openapi.json')
      const documented = Object.values<any>(document.paths).flatMap((item) =>
        Object.values<any>(item).map(({ operationId }) => operationId),
      )
      const shown = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.opblock')].filter((each) => !each.closest('.webhooks')).map(({ id }) => id.split('-').at(-1))`,
      )
      expect(shown).toEqual(documented)
    })

    it('shows no tag without operations', async () => {
      const document = await request('GET', '/openapi.json')
      const tags = Object.values<any>(document.paths).flatMap((item) =>
        Object.values<any>(item).flatMap(({ tags: [tag] }) => tag as string),
      )
      const shown = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.opblock-tag')].map((each) => each.dataset.tag)`,
      )
      expect(shown).toEqual([...new Set(tags)])
    })

    it('shows the introduction once, and one font', async () => {
      await page.locator('.opblock[id$="-createLink"] .opblock-summary-control').click()
      await page.waitForSelector('.fold-errors')
      expect(await page.getByText('Short links, click counts, scoped tokens').count()).toBe(1)
      expect(await page.getByText('Absent values are').count()).toBe(1)
      const fonts = await page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('body *')].map((each) => getComputedStyle(each).fontFamily.split(',')[0]))]`,
      )
      expect(fonts.sort()).toEqual(['-apple-system', 'ui-monospace'])
    })
  })

  it('folds the error responses of an operation', async () => {
    await openTag('Links')
    const block = page.locator('.opblock[id$="-createLink"]')
    await block.locator('.opblock-summary-control').click()
    const error = block.locator('.response[data-code="422"]')
    await waitFor('the responses', () => block.locator('.response[data-code="201"]').isVisible())
    expect(await error.isVisible()).toBe(false)
    await block.locator('.fold-errors').click()
    await waitFor('the errors', () => error.isVisible())
  })

  it('fits the screen of a phone', async () => {
    await open(390)
    await page.locator('.opblock[id$="-createLink"] .opblock-summary-control').click()
    await page.waitForSelector('.fold-errors')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(errors).toEqual([])
  })
})
