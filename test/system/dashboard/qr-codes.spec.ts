/** QR codes that the dashboard draws, decoded by another library. */
import { readFile } from 'node:fs/promises'

import jsqr from 'jsqr'
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findingsInEveryLook } from './looks.js'
import { openPages } from './pages.js'
import type { Pages } from './pages.js'

const decode = jsqr as unknown as typeof jsqr.default
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><circle cx="20" cy="20" r="20" fill="#e11d48"/></svg>'

interface Pixels {
  text: string | undefined
  width: number
  /** Returns the color at a position, each coordinate a share of the image. */
  colorAt: (x: number, y: number) => number[]
}

describeWithChromium('the QR code of a link', () => {
  let pages: Pages
  let link: { id: string; short_url: string; slug: string }
  beforeAll(async () => {
    pages = await openPages()
    link = await pages.api('POST', '/links', { url: 'https://example.com/', slug: 'poster' })
  }, 120_000)
  afterAll(() => pages.stop())

  const path = () => `/links/${link.id}?tab=details`
  const preview = (page: Page) => page.getByRole('img', { name: `QR code of ${link.short_url}` })
  const openDesign = async (page: Page) => {
    await preview(page).waitFor()
    await page.getByText('Design', { exact: true }).click()
  }
  const pickLogo = async (page: Page, buffer = Buffer.from(logo), mimeType = 'image/svg+xml') =>
    page.getByLabel('Logo').setInputFiles({ name: 'logo', mimeType, buffer })

  /** Draws an image in the browser and decodes its pixels. */
  async function readImage(page: Page, url: string): Promise<Pixels> {
    const drawn = await page.evaluate<{ width: number; base64: string }>(`(async () => {
      const image = new Image()
      image.src = ${JSON.stringify(url)}
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, width, height)
      let binary = ''
      for (let at = 0; at < data.length; at += 32768)
        binary += String.fromCharCode(...data.subarray(at, at + 32768))
      return { width, base64: btoa(binary) }
    })()`)
    const { width } = drawn
    const data = new Uint8ClampedArray(Buffer.from(drawn.base64, 'base64'))
    const text = decode(data, width, width, { inversionAttempts: 'dontInvert' })?.data
    const colorAt = (x: number, y: number) => {
      const start = (Math.floor(y * width) * width + Math.floor(x * width)) * 4
      return [...data.subarray(start, start + 3)]
    }
    return { text, width, colorAt }
  }
  const readPreview = async (page: Page) => readImage(page, (await preview(page).getAttribute('src'))!)
  async function download(page: Page, name: string): Promise<{ name: string; content: Buffer }> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ])
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
  }
  const dataUrl = (type: string, content: Buffer) => `data:${type};base64,${content.toString('base64')}`

  it('decodes to the URL whose visits count as scans, with any colors, margin and size', async () => {
    const expected = `${link.short_url}?qr=1`
    await pages.on(path(), async (page) => {
      await openDesign(page)
      expect((await readPreview(page)).text).toBe(expected)
      await page.getByLabel('Color', { exact: true }).fill('#1d3b8f')
      await page.getByLabel('Background').fill('#ffe9c7')
      await page.getByLabel('Margin').selectOption('8')
      await page.getByLabel('Size').selectOption('512')
      const svg = await download(page, 'Download SVG')
      const png = await download(page, 'Download PNG')
      expect([svg.name, png.name]).toEqual(['poster.svg', 'poster.png'])
      for (const [type, { content }] of [
        ['image/svg+xml', svg],
        ['image/png', png],
      ] as const) {
        const image = await readImage(page, dataUrl(type, content))
        expect({ text: image.text, width: image.width }).toEqual({ text: expected, width: 512 })
        expect(image.colorAt(0.02, 0.02)).toEqual([0xff, 0xe9, 0xc7])
        expect(image.colorAt(0.5, 0.1)).toEqual([0xff, 0xe9, 0xc7])
      }
    })
  })

  it('decodes with a logo in its center, which is never uploaded', async () => {
    await pages.on(path(), async (page) => {
      await openDesign(page)
      const uploads: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') uploads.push(request.url())
      })
      const plain = await readPreview(page)
      await pickLogo(page)
      await page.getByText('Error correction is high').waitFor()
      const svg = await download(page, 'Download SVG')
      const png = await download(page, 'Download PNG')
      for (const url of [dataUrl('image/svg+xml', svg.content), dataUrl('image/png', png.content)]) {
        const image = await readImage(page, url)
        expect(image.text).toBe(plain.text)
        expect(image.colorAt(0.5, 0.5)).toEqual([0xe1, 0x1d, 0x48])
      }
      expect(uploads).toEqual([])
      await page.getByRole('button', { name: 'Remove logo' }).click()
      expect((await readPreview(page)).colorAt(0.5, 0.5)).not.toEqual([0xe1, 0x1d, 0x48])
    })
  })

  it('rejects logos that are too large or not images', async () => {
    await pages.on(path(), async (page) => {
      await openDesign(page)
      await pickLogo(page, Buffer.alloc(1024 * 1024 + 1, 'x'))
      await page.getByText('The file is larger than 1 MiB. Choose a smaller one.').waitFor()
      await pickLogo(page, Buffer.from('no image'), 'image/png')
      await page.getByText('This file is not an image').waitFor()
      expect(await page.getByLabel('Logo').getAttribute('aria-invalid')).toBe('true')
    })
  })

  it('warns about colors that scanners cannot read', async () => {
    await pages.on(path(), async (page) => {
      await openDesign(page)
      const warnings = () => page.locator('.callout.warn').allTextContents()
      expect(await warnings()).toEqual([])
      await page.getByLabel('Color', { exact: true }).fill('#ffd000')
      expect(await warnings()).toEqual([expect.stringContaining('The contrast is too low to scan.')])
      await page.getByLabel('Background').fill('#000000')
      expect(await warnings()).toEqual([expect.stringContaining('a light code on a dark background')])
      await page.getByLabel('Margin').selectOption('1')
      await page.getByText('Scanners expect at least 4 modules.').waitFor()
    })
  })

  it('is copied as an image', async () => {
    await pages.on(path(), async (page) => {
      await preview(page).waitFor()
      await page.getByRole('button', { name: 'Copy image' }).click()
      await page.getByText('Copied the QR code.').waitFor()
      const types = () =>
        page.evaluate<string[]>(
          'navigator.clipboard.read().then((items) => items.flatMap(({ types }) => types))',
        )
      await waitFor('the image in the clipboard', async () => (await types()).includes('image/png'))
    })
  })

  it('is accessible in both widths and color schemes', async () => {
    const findings = await findingsInEveryLook(pages, path(), 'qr-code', async (page) => {
      await openDesign(page)
      await page.getByLabel('Color', { exact: true }).fill('#1d3b8f')
      await pickLogo(page)
      await page.getByText('Error correction is high').waitFor()
    })
    expect(findings).toEqual([])
  })
})
