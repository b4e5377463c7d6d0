/** Runs the calls that "Copy as curl" and "Copy as TypeScript" copy. They repeat what the page did. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { createHook } from '../../support/sending.js'
import { copyWith, openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const run = promisify(execFile)

describeWithChromium('a copied call', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)

  /** Copies the call of the last action, whose notice contains this text. */
  async function copyCalls(page: Page, text: RegExp): Promise<{ curl: string; typescript: string }> {
    const notice = page.locator('.notice', { hasText: text })
    const copy = (name: string) => copyWith(notice.getByRole('button', { name }))
    return { curl: await copy('Copy as curl'), typescript: await copy('Copy as TypeScript') }
  }

  const env = () => ({ PATH: process.env['PATH'], LINK_SERVICE_TOKEN: pages.sending.service.token })
  /** Fails for an error response, as `runProgram` does. */
  const runCurl = (text: string) =>
    run('sh', ['-c', `${text} --silent --show-error --fail-with-body`], { env: env() })
  const runProgram = (text: string) =>
    run(process.execPath, ['--input-type=module', '--eval', text], { env: env() })

  it('creates and changes a link as the page did', async () => {
    const { page, context } = await signedIn(pages, pages.sending.service.token)
    const url = `https://example.com/it's?a=$HOME&b="two"`
    await page.getByLabel('Shorten a URL').fill(url)
    await page.getByRole('button', { name: 'Create link' }).click()
    const creation = await copyCalls(page, /^Created/)
    await runCurl(creation.curl)
    await runProgram(creation.typescript)
    const { data } = await api('GET', '/links?limit=3')
    expect(data.map((link: any) => link.url)).toEqual([data[0].url, data[0].url, data[0].url])

    await page.goto(`${pages.origin}/dashboard/links/${data[0].id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('a `title` of $HOME')
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    const saved = await copyCalls(page, /^Saved/)
    for (const repeat of [() => runCurl(saved.curl), () => runProgram(saved.typescript)]) {
      await api('PATCH', `/links/${data[0].id}`, { title: null })
      await repeat()
      expect((await api('GET', `/links/${data[0].id}`)).title).toBe('a `title` of $HOME')
    }
    await context.close()
  })

  it('sends a test event', async () => {
    const hook = await createHook(pages.sending, { events: ['*'] })
    const { page, context } = await signedIn(
      pages,
      pages.sending.service.token,
      `/webhooks/${hook.id}?tab=test`,
    )
    await page.getByRole('button', { name: 'Send test' }).click()
    const sent = await copyCalls(page, /./)
    const before = pages.sending.receiver.requestsTo(hook.path).length
    await runCurl(sent.curl)
    await runProgram(sent.typescript)
    expect(pages.sending.receiver.requestsTo(hook.path).length).toBe(before + 2)
    await context.close()
  })

  it('revokes a token with its descendants', async () => {
    const { service } = pages.sending
    const create = async (name: string, by: string) => {
      const body = { name, scopes: ['tokens:write', 'links:read'] }
      return (await service.call('POST', '/v1/auth/token', { token: by, body })).body
    }
    const family = async (name: string) => {
      const parent = await create(name, service.token)
      return { parent, child: await create(`child of ${name}`, parent.token) }
    }
    const shown = await family('shown')
    const others = [await family('by curl'), await family('by program')] as const
    const { page, context } = await signedIn(pages, service.token, '/settings/tokens')
    await page.getByRole('button', { name: 'Actions of shown', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const includesChild = dialog.getByLabel(/^Also revoke 1 token created with this token/)
    expect(await includesChild.isChecked()).toBe(false)
    await includesChild.check()
    await dialog.getByLabel('Type “shown” to confirm').fill('shown')
    await dialog.getByRole('button', { name: 'Revoke 2 tokens', exact: true }).click()
    const { curl, typescript } = await copyCalls(page, /^Revoked/)
    const forOther = (text: string, other: { parent: { id: string } }) =>
      text.replace(shown.parent.id, other.parent.id)
    await runCurl(forOther(curl, others[0]))
    await runProgram(forOther(typescript, others[1]))
    for (const { child } of [shown, ...others])
      expect((await service.call('GET', '/v1/links', { token: child.token })).status).toBe(401)
    await context.close()
  })
})
