/** The form of a link: errors of its fields, tags with suggestions, and campaign parameters. */
import type { Locator, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsInEveryLook } from './looks.js'
import { openPages, rejectFields } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the form of a link', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const on: Pages['on'] = (path, work) => pages.on(path, work)
  const press = (within: Page | Locator, name: string) =>
    within.getByRole('button', { name, exact: true }).click()
  const url = (form: Locator) => form.getByLabel('Destination', { exact: true })
  const tagsField = (form: Locator) => form.getByRole('combobox', { name: 'Tags' })
  const chips = (form: Locator) => form.locator('.chip').allTextContents()
  const focusedLabel = (page: Page) => page.evaluate<string>('document.activeElement.labels?.[0].textContent')
  const submit = async (page: Page) => {
    await press(page.getByRole('dialog'), 'Create link')
    await page.waitForURL(/\/links\/lnk_/)
    return api('GET', `/links/${/lnk_\w+/.exec(page.url())![0]}`)
  }

  const invalid = [
    { pointer: '/url', code: 'invalid_url', detail: 'Must be reachable.' },
    { pointer: '/tags/1', code: 'invalid_tags', detail: 'Must be shorter.' },
    { pointer: '/external_id', code: 'invalid_text', detail: 'Must be unique.' },
    { pointer: '/forward_query', code: 'invalid_flag', detail: 'Must be a flag.' },
  ]
  const showErrors = async (page: Page) => {
    await rejectFields(page, '/links', invalid)
    const form = page.getByRole('dialog')
    await url(form).fill('https://example.com/')
    await press(form, 'Create link')
    await form.getByRole('alert').waitFor()
    return form
  }

  it('is filled in for a duplicate, and the menu of a link disables it', async () => {
    const { id } = await api('POST', '/links', {
      url: 'https://example.com/twice',
      slug: 'twice',
      tags: ['copied'],
    })
    await on(`/links/${id}`, async (page) => {
      const menu = page.locator('.more-menu')
      await press(page, 'More actions')
      await press(menu, 'Disable')
      await page.getByText('Disabled link “/twice”.').waitFor()
      expect((await api('GET', `/links/${id}`)).enabled).toBe(false)
      await press(page, 'More actions')
      await press(menu, 'Enable')
      await page.getByText('Enabled link “/twice”.').waitFor()
      await press(page, 'More actions')
      await press(menu, 'Duplicate')
      expect(await page.getByLabel('Slug').inputValue()).toBe('')
      await press(page.getByRole('dialog'), 'Create link')
      await page.waitForURL((to) => to.href.includes('/links/lnk_') && !to.href.endsWith(id))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const copy = await api('GET', `/links/${/lnk_\w+/.exec(page.url())![0]}`)
      expect(copy).toMatchObject({ url: 'https://example.com/twice', tags: ['copied'], enabled: true })
      await press(page, 'More actions')
      await menu.getByRole('link', { name: 'View events' }).click()
      await page.waitForURL(new RegExp(`/events[?]link_id=${copy.id}$`))
      await page.getByRole('link', { name: 'link.created' }).waitFor()
    })
  })

  it('does not save an expiry with five digits in its year, and saves a corrected one', async () => {
    const link = await api('POST', '/links', { url: 'https://example.com/' })
    await on(`/links/${link.id}`, async (page) => {
      await press(page, 'Edit')
      const form = page.getByRole('dialog', { name: /^Edit/ })
      await form.getByLabel('Expires').fill('12090-01-01T00:00')
      await form.getByLabel('Title').fill('corrected')
      await press(form, 'Save changes')
      expect(await form.locator('input:invalid').count()).toBe(1)
      expect(await api('GET', `/links/${link.id}`)).toEqual(link)
      await form.getByLabel('Expires').fill('2090-01-01T00:00')
      await press(form, 'Save changes')
      await form.waitFor({ state: 'detached' })
      const { title, expires_at } = await api('GET', `/links/${link.id}`)
      expect([title, expires_at]).toEqual(['corrected', expect.stringMatching(/^20(89|90)-/)])
    })
  })

  it('shows each error once: at its field, or above the buttons with the name of the field', async () => {
    await on('/links?new=1', async (page) => {
      const form = await showErrors(page)
      expect(await form.locator('.field-error').allTextContents()).toEqual([
        'Must be reachable.',
        'Must be shorter.',
      ])
      expect(await form.getByRole('alert').allTextContents()).toEqual([
        'External ID: Must be unique.\nForward query: Must be a flag.',
      ])
      const text = await form.textContent()
      for (const { detail } of invalid) expect(text!.split(detail)).toHaveLength(2)
      expect(text).not.toMatch(/\/(?:url|tags|external_id|forward_query)/)
    })
    const findings = await findingsInEveryLook(pages, '/links?new=1', 'form-errors', async (page) => {
      await showErrors(page)
    })
    expect(findings).toEqual([])
  })

  it('focuses the first invalid field, which names its error as its description', async () => {
    await on('/links?new=1', async (page) => {
      const form = await showErrors(page)
      const readAttribute = (field: Locator, name: string) => field.getAttribute(name)
      expect(await focusedLabel(page)).toBe('Destination')
      for (const [field, message] of [
        [url(form), 'Must be reachable.'],
        [tagsField(form), 'Must be shorter.'],
      ] as const) {
        expect(await readAttribute(field, 'aria-invalid')).toBe('true')
        const description = page.locator(`[id="${await readAttribute(field, 'aria-describedby')}"]`)
        expect(await description.textContent()).toBe(message)
      }
      expect(await readAttribute(form.getByLabel('Title'), 'aria-invalid')).toBe('false')
      expect(await readAttribute(form.getByLabel('Title'), 'aria-describedby')).toBeNull()
    })
  })

  it('shows a taken slug only at the slug, which gets the focus', async () => {
    await api('POST', '/links', { url: 'https://example.com/', slug: 'taken-slug' })
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog')
      await url(form).fill('https://example.com/')
      await form.getByLabel('Slug').fill('taken-slug')
      await press(form, 'Create link')
      await form.locator('.field-error').waitFor()
      expect(await form.locator('.field-error').allTextContents()).toEqual([
        expect.stringContaining('taken-slug'),
      ])
      expect(await form.getByRole('alert').count()).toBe(0)
      expect(await focusedLabel(page)).toBe('Slug (optional)')
    })
  })

  it('suggests tags with their counts, and adds and removes tags with the keyboard', async () => {
    for (const tags of [['sale', 'mail'], ['sale'], ['salon']])
      await api('POST', '/links', { url: 'https://example.com/', tags })
    const options = (form: Locator) => form.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog')
      await url(form).fill('https://example.com/')
      await tagsField(form).pressSequentially('sal')
      await options(form).first().waitFor()
      expect(await options(form).allTextContents()).toEqual(['sale2 links', 'salon1 link'])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      expect(await options(form).nth(1).getAttribute('aria-selected')).toBe('true')
      expect(await tagsField(form).getAttribute('aria-activedescendant')).toBe(
        await options(form).nth(1).getAttribute('id'),
      )
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      expect(await chips(form)).toEqual(['sale'])
      await tagsField(form).pressSequentially('one,two')
      await page.keyboard.press('Enter')
      expect(await chips(form)).toEqual(['sale', 'one', 'two'])
      await page.keyboard.press('Backspace')
      await press(form, 'Remove one')
      expect(await chips(form)).toEqual(['sale'])
      // The chosen tag is not suggested again.
      await tagsField(form).pressSequentially('sal')
      expect(await options(form).allTextContents()).toEqual(['salon1 link'])
      await page.keyboard.press('Escape')
      expect(await options(form).count()).toBe(0)
      expect(await form.count()).toBe(1)
      await tagsField(form).fill('ma')
      await options(form).first().click()
      await tagsField(form).fill('not yet added')
      expect((await submit(page)).tags).toEqual(['sale', 'mail', 'not yet added'])
    })
    const findings = await findingsInEveryLook(pages, '/links?new=1', 'tags', async (page) => {
      const form = page.getByRole('dialog')
      await url(form).fill('https://example.com/')
      await tagsField(form).fill('autumn, newsletter, sa')
      await options(form).first().waitFor()
      await page.keyboard.press('ArrowDown')
    })
    expect(findings).toEqual([])
  })

  it('keeps commas, quotes and spaces in double-quoted tags', async () => {
    const tags = ['simple', 'Berlin, DE', ' blanks ', '"quoted"', '5" disk']
    const link = await api('POST', '/links', { url: 'https://example.com/', tags })
    await on(`/links/${link.id}`, async (page) => {
      await press(page, 'Edit')
      const form = page.getByRole('dialog', { name: /^Edit/ })
      expect(await chips(form)).toEqual(tags)
      await tagsField(form).pressSequentially('"one, ""two""" ,"open, end')
      await press(form, 'Save changes')
      await form.waitFor({ state: 'detached' })
      const read = await api('GET', `/links/${link.id}`)
      expect(read.tags).toEqual([...tags, 'one, "two"', '"open', 'end'])
    })
  })

  it('builds campaign parameters in the destination without changing its other parts', async () => {
    const first = 'https://example.com/a%20b?q=c%20d&utm_source=old&utm_source=older&x=1#part'
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog')
      const result = form.getByLabel('Resulting URL')
      await form.getByText('Campaign parameters').click()
      expect(await form.getByLabel('Source').isDisabled()).toBe(true)
      await url(form).fill(first)
      expect(await form.getByLabel('Source').inputValue()).toBe('old')
      await form.getByLabel('Source').fill('news & more')
      await form.getByLabel('Campaign', { exact: true }).fill('spring')
      const expected =
        'https://example.com/a%20b?q=c%20d&utm_source=news%20%26%20more&x=1&utm_campaign=spring#part'
      expect(await result.textContent()).toBe(expected)
      expect(await url(form).inputValue()).toBe(expected)
      await form.getByLabel('Campaign', { exact: true }).fill('')
      await form.getByLabel('Medium').fill('email')
      expect((await submit(page)).url).toBe(
        'https://example.com/a%20b?q=c%20d&utm_source=news%20%26%20more&x=1&utm_medium=email#part',
      )
    })
    const findings = await findingsInEveryLook(pages, '/links?new=1', 'campaign', async (page) => {
      const form = page.getByRole('dialog')
      await url(form).fill('https://example.com/spring?utm_source=newsletter&utm_medium=email')
      await form.getByText('Campaign parameters').click()
    })
    expect(findings).toEqual([])
  })

  it('suggests earlier values of each campaign parameter until the user signs out', async () => {
    await on('/links?new=1', async (page) => {
      const suggested = (name: string) =>
        page.evaluate<string[]>(
          `[...document.querySelector('datalist[id$=${name}]').options].map(({ value }) => value)`,
        )
      for (const [source, campaign] of [
        ['mail', 'may'],
        ['feed', 'may'],
      ]) {
        await url(page.getByRole('dialog')).fill(
          `https://example.com/?utm_source=${source}&utm_campaign=${campaign}`,
        )
        await submit(page)
        await page.goto(`${pages.origin}/dashboard/links?new=1`)
      }
      const form = page.getByRole('dialog')
      await form.getByText('Campaign parameters').click()
      expect(await suggested('utm_source')).toEqual(['feed', 'mail'])
      expect(await suggested('utm_campaign')).toEqual(['may'])
      expect(await suggested('utm_term')).toEqual([])
      await press(form, 'Close')
      await press(page, 'Sign out')
      await page.getByLabel('API token').waitFor()
      expect(await page.evaluate<number>('localStorage.length')).toBe(0)
    })
  })

  it('clears remembered campaign values when another token signs in after the session ended', async () => {
    await on('/links?new=1', async (page) => {
      await url(page.getByRole('dialog')).fill('https://example.com/?utm_source=secret')
      await submit(page)
      const remembered = () => page.evaluate<string>('localStorage.getItem("remembered-values") ?? ""')
      const signInAgain = async (token: string) => {
        await page.context().clearCookies()
        await page.goto(`${pages.origin}/dashboard/`)
        await page.getByLabel('API token').fill(token)
        await press(page, 'Sign in')
        await page.getByRole('heading', { name: 'Overview' }).waitFor()
      }
      await signInAgain(pages.sending.service.token)
      expect(await remembered()).toContain('secret')
      await signInAgain(pages.token)
      expect(await remembered()).toBe('')
    })
  })
})
