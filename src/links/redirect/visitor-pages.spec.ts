import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Branding } from '../../platform/http/branding.js'
import { defaultAccent } from '../../platform/util/colors.js'
import { readVisitorPages } from './visitor-pages.js'

const branding: Branding = { name: 'Tom & <Co>', accent: { light: '#aa0000', dark: '#ff8888' }, logo: null }
const logo = { url: '/logo.a"b.svg', source: "'self'", file: null }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-pages-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = async (template: string, shown = branding) => {
  await writeFile(join(folder, '404.html'), template)
  const pages = await readVisitorPages(folder, shown)
  return { html: pages.not_found.body.toString(), policy: pages.not_found.policy, pages }
}

describe('the built-in pages for visitors', () => {
  it('show the name, the logo and the accent color', async () => {
    const pages = await readVisitorPages(null, { ...branding, logo })
    for (const { body, policy } of Object.values(pages)) {
      const html = body.toString()
      expect(html).toContain('Tom &amp; &lt;Co&gt;')
      expect(html).toContain('<img class="logo" src="/logo.a&quot;b.svg" alt="">')
      expect(html).toContain('--accent:#aa0000')
      expect(html).toContain('--accent:#ff8888')
      expect(html).not.toContain('{{')
      expect(policy).toContain("; img-src 'self'; ")
    }
  })

  it('allow no images without a logo', async () => {
    const pages = await readVisitorPages(null, { ...branding, accent: defaultAccent })
    expect(pages.gone.policy).not.toContain('img-src')
    expect(pages.gone.body.toString()).toContain('<svg class="logo"')
  })
})

describe('a page in PAGES_DIR', () => {
  it('replaces one page, with escaped values', async () => {
    const { html, pages } = await read('<h1>{{status}} {{ title }}</h1><p>{{message}}</p>{{instance_name}}')
    expect(html).toBe(
      '<h1>404 This link does not exist</h1><p>Check the link for typos. Uppercase and lowercase letters matter.</p>Tom &amp; &lt;Co&gt;',
    )
    expect(pages.gone.body.toString()).toContain('This link is no longer active')
    expect(pages.gone.body.toString()).toContain('<!doctype html>')
  })

  it('can have styles and embedded images, which the content security policy allows', async () => {
    const { policy } = await read(
      '<style>h1{color:{{accent_light}}}</style><style>p{}</style><img src="data:image/gif;base64,R0lGOD">',
    )
    const hash = async (text: string) =>
      `'sha256-${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64')}'`
    expect(policy).toBe(
      `default-src 'none'; style-src ${await hash('h1{color:#aa0000}')} ${await hash('p{}')}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect((await read('<h1>{{title}}</h1>', { ...branding, logo })).policy).not.toContain('img-src')
    expect((await read('{{logo}}', { ...branding, logo })).policy).toContain("img-src 'self';")
  })

  it('allows its styles after the browser has replaced CRLF by LF', async () => {
    const lf = await read('<style>\np{}\n</style>')
    expect(await read('<style>\r\np{}\r\n</style>')).toEqual(lf)
  })

  it('can start from the example in the documentation', async () => {
    const [, example] = /```html\n([^]*?)```/.exec(await readFile('docs/branding.md', 'utf8'))!
    const { html } = await read(example!)
    expect(html).toContain('a { color: #aa0000; }')
    expect(html).not.toContain('{{')
  })

  it.each([
    ['', 'is empty'],
    [Buffer.from([0xff, 0xfe]), 'is not UTF-8'],
    ['<h1>{{slug}}</h1>', 'contains the unknown placeholder {{slug}}. Valid placeholders: status, title'],
    ['<script src="https://cdn.example/a.js"></script>', 'contains a script, which'],
    ['<link rel="stylesheet" href="a.css">', 'contains a <link> element'],
    ['<h1 class="a" style="color:red">', 'contains a style attribute'],
    ['<img src="x" onerror="alert(1)">', 'contains an event handler'],
    ['a'.repeat(256 * 1024 + 1), 'is larger than 256 KiB'],
  ])('prevents the start if it is unusable: %#', async (template, reason) => {
    await writeFile(join(folder, '410.html'), template)
    await expect(readVisitorPages(folder, branding)).rejects.toThrow(
      `The page ${join(folder, '410.html')} in PAGES_DIR ${reason}`,
    )
  })

  it('must be readable and have a known name', async () => {
    await expect(readVisitorPages(folder, branding)).rejects.toThrow(
      `PAGES_DIR contains no pages: ${folder}. Valid file names: 404.html, 410.html, 503.html.`,
    )
    await mkdir(join(folder, '404.html'))
    await expect(readVisitorPages(folder, branding)).rejects.toThrow('cannot be read (EISDIR)')
    await writeFile(join(folder, '403.html'), 'no')
    await expect(readVisitorPages(folder, branding)).rejects.toThrow('PAGES_DIR contains 403.html')
    await expect(readVisitorPages(join(folder, 'none'), branding)).rejects.toThrow('PAGES_DIR cannot be read')
  })
})
