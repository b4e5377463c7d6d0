/** The name, the logo and the accent color of an installation, on the pages of the dashboard and for visitors. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readSettings } from '../../../src/platform/config/env.js'
import { readVisitorPages } from '../../../src/links/redirect/visitor-pages.js'
import { readBranding } from '../../../src/platform/http/branding.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-branding-'))
  await writeFile(join(folder, 'logo.svg'), svg)
})
afterAll(() => rm(folder, { recursive: true }))

const asBrowser = { headers: { accept: 'text/html' } }
const page = ({ origin }: Service, path: string) => fetch(origin + path, asBrowser)

describe('an installation with its own name, logo and color', () => {
  let service: Service
  beforeAll(async () => {
    await writeFile(
      join(folder, '404.html'),
      '<title>{{title}}</title>{{logo}} {{instance_name}} has no such link',
    )
    service = await startService({
      env: {
        INSTANCE_NAME: 'Tom & <Co>',
        INSTANCE_LOGO: join(folder, 'logo.svg'),
        ACCENT: '#FFFF00',
        PAGES_DIR: folder,
      },
    })
  })
  afterAll(() => service.stop())

  it('shows them on pages for visitors', async () => {
    const missing = await page(service, '/nothing')
    expect(missing.status).toBe(404)
    const html = await missing.text()
    expect(html).toContain('Tom &amp; &lt;Co&gt; has no such link')
    expect(missing.headers.get('content-security-policy')).toContain("img-src 'self';")
    const { body } = await service.call('POST', '/v1/links', {
      body: { url: 'https://example.com', enabled: false },
    })
    const gone = await (await page(service, `/${body.slug}`)).text()
    expect(gone).toContain('This link is no longer active')
    expect(gone).toContain('Tom &amp; &lt;Co&gt;')
    expect(gone).toMatch(/--accent:#[0-9a-f]{6};[^]*--accent:#ffff00;/)
  })

  it('shows them on the dashboard', async () => {
    const html = await (await page(service, '/dashboard')).text()
    expect(html).toContain('<title>Tom &amp; &lt;Co&gt;</title>')
    expect(html).toContain('<meta name="instance-name" content="Tom &amp; &lt;Co&gt;" />')
    expect(html).toMatch(/<meta name="accent" content="#[0-9a-f]{6} #ffff00" \/>/)
    expect(html).toMatch(/<link rel="icon" href="\/logo\.[\w-]{16}\.svg" \/>/)
  })

  it('serves the logo, and forbids its scripts', async () => {
    const html = await (await page(service, '/nothing')).text()
    const [, path] = /<img class="logo" src="([^"]+)" alt="">/.exec(html)!
    const response = await fetch(service.origin + path!)
    expect(await response.text()).toBe(svg)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
})

it('allows the URL of a remote logo, and no other', async () => {
  const url = 'https://cdn.example/a;b,c.png?size=2'
  const service = await startService({ env: { INSTANCE_LOGO: url } })
  const allowed = 'https://cdn.example/a%3Bb%2Cc.png;'
  for (const path of ['/nothing', '/dashboard']) {
    const response = await page(service, path)
    expect(response.headers.get('content-security-policy')).toContain(allowed)
    expect(await response.text()).toContain(url)
  }
  const script = await fetch(`${service.origin}/dashboard/theme.js`)
  expect(script.headers.get('content-security-policy')).not.toContain('cdn.example')
  await service.stop()
})

it.each([
  ['ACCENT', 'blue', 'ACCENT must be a hex color such as #3550c9'],
  ['ACCENT', '#fff;}', 'ACCENT must be a hex color such as #3550c9'],
  ['INSTANCE_NAME', 'a'.repeat(41), 'INSTANCE_NAME must be one line of at most 40 characters'],
  ['INSTANCE_LOGO', 'http://cdn.example/logo.png', 'INSTANCE_LOGO must be the path of an image'],
  ['INSTANCE_LOGO', 'data:text/html,a', 'INSTANCE_LOGO must be the path of an image'],
])('rejects the setting %s=%s', (name, value, reason) => {
  expect(() => readSettings({ [name]: value })).toThrow(reason)
})

it.each([
  [{ INSTANCE_LOGO: '/nowhere/logo.svg' }, 'INSTANCE_LOGO cannot be read: /nowhere/logo.svg (ENOENT)'],
  [{ INSTANCE_LOGO: '/etc/passwd' }, 'which is not a supported image'],
  [{ PAGES_DIR: '/nowhere' }, 'PAGES_DIR cannot be read: /nowhere (ENOENT)'],
])('does not start with %j', async (env, reason) => {
  const settings = readSettings(env)
  const read = async () => readVisitorPages(settings.pagesDir, await readBranding(settings))
  await expect(read()).rejects.toThrow(reason)
})
