/** Two users edit the same link or webhook. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsInEveryLook } from './looks.js'
import { openPages } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('a link or webhook that somebody else changes while it is edited', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const create = () =>
    api('POST', '/links', { url: 'https://example.com/', title: 'before', note: 'before', tags: ['before'] })
  const read = (id: string) => api('GET', `/links/${id}`)
  const dialog = (page: Page) => page.getByRole('dialog')
  const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const choose = (page: Page, field: string, choice: RegExp) =>
    dialog(page).getByRole('group', { name: field }).getByLabel(choice).check()
  const fill = (page: Page, label: string, value: string) => dialog(page).getByLabel(label).fill(value)

  /** Edits title, note and redirect status, while the other user changes title, note, tags and destination. */
  async function collide(page: Page, id: string) {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await fill(page, 'Title', 'my title')
    await fill(page, 'Note', 'my note')
    await dialog(page).getByLabel('Redirect status').selectOption('307')
    await api('PATCH', `/links/${id}`, {
      title: 'their title',
      note: 'their note',
      tags: ['their', 'tags'],
      url: 'https://example.com/theirs',
    })
    await press(page, 'Save changes')
    await dialog(page).getByRole('alert').waitFor()
  }

  it('asks which value to keep only for the fields that both changed', async () => {
    const { id } = await create()
    await pages.on(`/links/${id}`, async (page) => {
      await collide(page, id)
      const section = (name: string) => dialog(page).getByRole('region', { name, exact: true })
      expect(await dialog(page).getByRole('group').locator('legend').allTextContents()).toEqual([
        'Title',
        'Note',
      ])
      expect(await dialog(page).getByRole('group', { name: 'Title' }).textContent()).toMatch(
        /Keep mine.*my title.*Use theirs.*their title/,
      )
      expect(await section('Only you changed').locator('dt').allTextContents()).toEqual(['Redirect status'])
      expect(await section('Only they changed').locator('dt').allTextContents()).toEqual([
        'Destination',
        'Tags',
      ])
      expect(await section('Only they changed').textContent()).toContain('https://example.com/theirs')
      // Saves nothing until each field has a choice.
      await choose(page, 'Title', /Keep mine/)
      await press(page, 'Save changes')
      expect(await read(id)).toMatchObject({ title: 'their title', redirect_status: 302 })
      await choose(page, 'Note', /Use theirs/)
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
      expect(await read(id)).toMatchObject({
        title: 'my title',
        note: 'their note',
        redirect_status: 307,
        tags: ['their', 'tags'],
        url: 'https://example.com/theirs',
      })
    })
  })

  it('asks again if the link changes once more', async () => {
    const { id } = await create()
    await pages.on(`/links/${id}`, async (page) => {
      await collide(page, id)
      await choose(page, 'Title', /Keep mine/)
      await choose(page, 'Note', /Keep mine/)
      await api('PATCH', `/links/${id}`, { title: 'newer title', redirect_status: 308 })
      await press(page, 'Save changes')
      const status = dialog(page).getByRole('group', { name: 'Redirect status' })
      await status.waitFor()
      expect(await status.textContent()).toMatch(/307.*308/)
      expect(await dialog(page).getByRole('radio', { checked: true }).count()).toBe(0)
      for (const field of ['Title', 'Note', 'Redirect status']) await choose(page, field, /Use theirs/)
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'newer title' }).waitFor()
      expect(await read(id)).toMatchObject({ title: 'newer title', note: 'their note', redirect_status: 308 })
    })
  })

  it('keeps changes to different fields, and identical changes, without asking', async () => {
    const { id } = await create()
    await pages.on(`/links/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await fill(page, 'Title', 'same')
      await fill(page, 'Note', 'mine')
      await api('PATCH', `/links/${id}`, { title: 'same', url: 'https://example.com/theirs' })
      await press(page, 'Save changes')
      await dialog(page).getByText('both changes are kept').waitFor()
      expect(await dialog(page).getByRole('radio').count()).toBe(0)
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
      expect(await read(id)).toMatchObject({
        title: 'same',
        note: 'mine',
        url: 'https://example.com/theirs',
      })
    })
  })

  it('discards the edits on request, and continues with the saved values', async () => {
    const { id } = await create()
    await pages.on(`/links/${id}`, async (page) => {
      await collide(page, id)
      await press(page, 'Discard my changes')
      expect(await dialog(page).getByLabel('Title').inputValue()).toBe('their title')
      expect(await dialog(page).getByLabel('Redirect status').inputValue()).toBe('302')
      await fill(page, 'Title', 'both')
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
      expect(await read(id)).toMatchObject({ title: 'both', note: 'their note' })
    })
  })

  it('saves the changes to a webhook that was paused after the form was opened', async () => {
    const { receiver } = pages.sending
    const { id } = await api('POST', '/webhooks', { url: receiver.origin, events: ['link.created'] })
    await pages.on(`/webhooks/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await fill(page, 'Name (optional)', 'my name')
      await api('PATCH', `/webhooks/${id}`, { status: 'paused' })
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
    })
    expect(await api('GET', `/webhooks/${id}`)).toMatchObject({ description: 'my name', status: 'paused' })
  })

  it('shows the changes of another user to a webhook before it saves both', async () => {
    const { receiver } = pages.sending
    const hook = await api('POST', '/webhooks', { url: receiver.origin, events: ['link.created'] })
    const read = () => api('GET', `/webhooks/${hook.id}`)
    await pages.on(`/webhooks/${hook.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await fill(page, 'Name (optional)', 'my name')
      await api('PATCH', `/webhooks/${hook.id}`, { description: 'their name', url: `${receiver.origin}/new` })
      await press(page, 'Save changes')
      await dialog(page).getByText('This webhook has changed since you opened the form.').waitFor()
      expect(await dialog(page).getByLabel('Endpoint URL').inputValue()).toBe(`${receiver.origin}/new`)
      expect(await dialog(page).getByLabel('Name (optional)').inputValue()).toBe('my name')
      expect(await read()).toMatchObject({ description: 'their name' })
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
    })
    expect(await read()).toMatchObject({ description: 'my name', url: `${receiver.origin}/new` })
  })

  it('does not remove a header that was added to a webhook after the form was opened', async () => {
    const { receiver } = pages.sending
    const hook = await api('POST', '/webhooks', { url: receiver.origin, events: ['link.created'] })
    await pages.on(`/webhooks/${hook.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await dialog(page).getByText('More options').click()
      await press(page, 'Add header')
      await fill(page, 'Name of header 1', 'x-mine')
      await fill(page, 'Value of header 1', 'mine')
      await api('PATCH', `/webhooks/${hook.id}`, { headers: { 'x-theirs': 'theirs' } })
      await press(page, 'Save changes')
      await dialog(page).getByText('This webhook has changed since you opened the form.').waitFor()
      expect(await dialog(page).getByLabel('Name of header 1').inputValue()).toBe('x-theirs')
      await fill(page, 'Name (optional)', 'my name')
      await press(page, 'Save changes')
      await dialog(page).waitFor({ state: 'detached' })
    })
    const { description, headers } = await api('GET', `/webhooks/${hook.id}`)
    expect([description, Object.keys(headers)]).toEqual(['my name', ['x-theirs']])
  })

  it('is accessible in both widths and color schemes', async () => {
    const { id } = await create()
    const findings = await findingsInEveryLook(pages, `/links/${id}`, 'conflict', async (page) => {
      await api('PATCH', `/links/${id}`, { title: 'before', note: 'before', tags: ['before'] })
      await page.reload()
      await page.locator('.shell h1').waitFor()
      await collide(page, id)
      await choose(page, 'Title', /Keep mine/)
    })
    expect(findings).toEqual([])
  })
})
