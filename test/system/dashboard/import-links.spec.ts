/** Imports links in the dashboard, after a preview. */
import type { Locator, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findingsInEveryLook } from './looks.js'
import { openPages, picture } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('an import in the dashboard', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const on: Pages['on'] = (path, work) => pages.on(path, work, { timezoneId: 'UTC' })
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import links' })
  const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
  const isClosed = (form: Locator) => form.waitFor({ state: 'detached' })
  const preview = async (form: Locator, lines: string) => {
    await press(form, 'Preview import')
    await form.getByRole('heading', { name: `Preview of ${lines}`, exact: true }).waitFor()
  }
  const getOutcomeCounts = (form: Locator) => form.locator('.outcomes li').allTextContents()
  /** Returns the cells of a table, one list for each row. */
  const readTableRows = async (form: Locator, name: string) => {
    const rows = await form.getByRole('table').filter({ hasText: name }).locator('tbody tr').all()
    return Promise.all(rows.map((row) => row.locator('td').allTextContents()))
  }

  it('previews pasted URLs, imports them, and refreshes the list', async () => {
    const links = () => api('GET', '/links?q=pasted')
    await on('/links', async (page) => {
      await page.getByText('No links yet').waitFor()
      await page.getByRole('button', { name: 'Import links' }).click()
      const form = dialog(page)
      await form
        .getByLabel('Links to import')
        .fill('https://example.com/pasted-1\nnonsense\nhttps://example.com/pasted-2')
      await preview(form, '3 lines')
      expect(await getOutcomeCounts(form)).toEqual(['2 new', '0 updated', '0 skipped', '1 failed'])
      expect(await readTableRows(form, 'Outcome')).toEqual([
        ['generated', 'https://example.com/pasted-1', '–', 'never', 'new'],
        ['generated', 'https://example.com/pasted-2', '–', 'never', 'new'],
      ])
      expect(await readTableRows(form, 'Reason')).toEqual([
        ['2', 'Destination', expect.stringMatching(/^Must be/)],
      ])
      expect((await links()).data).toEqual([])
      await press(form, 'Import 2 lines')
      await isClosed(form)
      await page.locator('tbody tr', { hasText: 'example.com/pasted-1' }).waitFor()
      expect((await links()).data).toHaveLength(2)
    })
  })

  it('waits for the end of an import although its status cannot be read for a moment', async () => {
    await on('/links?new=many', async (page) => {
      const form = dialog(page)
      await form.getByLabel('Links to import').fill('https://example.com/unread')
      await preview(form, '1 line')
      let reads = 0
      let isAvailable = false
      await page.route(/\/api\/v1\/imports\/[^/]+$/, (route) => {
        reads++
        return isAvailable ? route.continue() : route.fulfill({ status: 503 })
      })
      await press(form, 'Import 1 line')
      await form.getByText('The progress cannot be read. Trying again…').waitFor()
      await picture(page, 'import-unread')
      await waitFor('more reads', () => reads > 3)
      isAvailable = true
      await isClosed(form)
      await page.getByText('Imported: 1 new').waitFor()
    })
  })

  it('shows the lines of a file as they will be imported, and why other lines fail', async () => {
    await api('POST', '/links', {
      url: 'https://example.com/',
      slug: 'there-already',
      title: 'before',
      tags: ['kept'],
    })
    const csv = [
      'slug,url,title,tags,expires_at,remark',
      'from-file,https://example.com/file,good,"sale,spring",2090-01-02T12:00:00Z,x',
      'there-already,https://example.com/changed,after,,,',
      'bad-target,ftp://example.com/,bad,,,',
      'bad slug,https://example.com/,,,2020-01-01T00:00:00Z,',
    ].join('\n')
    await on('/links?new=many', async (page) => {
      const form = dialog(page)
      await form
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await preview(form, '4 lines')
      expect(await getOutcomeCounts(form)).toEqual(['1 new', '0 updated', '1 skipped', '2 failed'])
      expect(await readTableRows(form, 'Outcome')).toEqual([
        ['from-file', 'good https://example.com/file', 'salespring', '2 Jan 2090', 'new'],
        ['there-already', 'after https://example.com/changed', '–', 'never', 'skipped'],
      ])
      const failures = await readTableRows(form, 'Reason')
      expect(failures.map(([line, field]) => [line, field])).toEqual(
        expect.arrayContaining([
          ['4', 'Destination'],
          ['5', 'Slug'],
        ]),
      )
      await form.getByText('Ignored columns: remark').waitFor()
      const [report] = await Promise.all([
        page.waitForEvent('download'),
        form.getByRole('link', { name: 'Download error report' }).click(),
      ])
      const chunks: Buffer[] = []
      for await (const chunk of await report.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toContain('bad-target')
      await form.getByLabel('If a link exists').selectOption('update')
      await preview(form, '4 lines')
      expect(await getOutcomeCounts(form)).toEqual(['1 new', '1 updated', '0 skipped', '2 failed'])
      expect((await readTableRows(form, 'Outcome'))[1]).toEqual([
        'there-already',
        'after https://example.com/changed',
        'kept',
        'never',
        'updated',
      ])
      await press(form, 'Import 2 lines')
      await isClosed(form)
      expect((await api('GET', '/links/by-slug/there-already')).title).toBe('after')
      expect((await api('GET', '/links/by-slug/from-file')).title).toBe('good')
      expect((await api('GET', '/links?q=bad-target')).data).toEqual([])
    })
  })

  it('shows the first rows of a long file, and how many follow', async () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? `https://example.com/long-${i}` : `nonsense-${i}`,
    )
    const fillIn = async (page: Page) => {
      const form = dialog(page)
      await form.getByLabel('Links to import').fill(lines.join('\n'))
      await preview(form, '60 lines')
      return form
    }
    await on('/links?new=many', async (page) => {
      const form = await fillIn(page)
      await form.getByText('First 10 of 30 lines to import').waitFor()
      await form.getByText('First 10 of 30 failed lines').waitFor()
      expect(await readTableRows(form, 'Outcome')).toHaveLength(10)
      expect(await readTableRows(form, 'Reason')).toHaveLength(10)
    })
    const findings = await findingsInEveryLook(pages, '/links?new=many', 'import', async (page) => {
      await fillIn(page)
    })
    expect(findings).toEqual([])
  })

  it.each([
    ['URLs', '\n \nhttps://example.com/\nnonsense', '4'],
    ['CSV', '\n\nurl,title\nnonsense,x', '4'],
    ['NDJSON', '\n{"url":"https://example.com/"}\n{"url":"nonsense"}', '3'],
  ])('counts empty lines before %s', async (_, text, line) => {
    await on('/links?new=many', async (page) => {
      const form = dialog(page)
      await form.getByLabel('Links to import').fill(text)
      await press(form, 'Preview import')
      await form.getByText('Nothing has been imported yet').waitFor()
      expect((await readTableRows(form, 'Reason')).map(([first]) => first)).toEqual([line])
    })
  })

  it('rejects unreadable text', async () => {
    await on('/links?new=many', async (page) => {
      const form = dialog(page)
      await form.getByLabel('Links to import').fill('no,column,that,is,known\n1,2,3,4,5')
      await press(form, 'Preview import')
      await form.getByRole('alert').waitFor()
      expect(await form.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
    })
  })
})
