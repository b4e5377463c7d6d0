/** The pages at the `type` URLs of problems. */
import { createHash } from 'node:crypto'

import { problems } from '../../../src/problems.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const entries = Object.entries(problems).map(([code, entry]) => ({ code, ...entry }))

it.each(entries)('/errors/$code shows cause, remedy and example', async ({ code, status, title }) => {
  const page = await service.call('GET', `/errors/${code}`, { token: null })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toMatch(/^<!doctype html>/)
  expect(page.text).toContain(`<h1>${title}</h1>`)
  expect(page.text).toContain('<h2>Why it happens</h2>')
  expect(page.text).toContain('<h2>What to do</h2>')

  const [, example = ''] = /<pre>([^]+?)<\/pre>/.exec(page.text) ?? []
  expect(
    JSON.parse(example.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
  ).toMatchObject({
    code,
    status,
    title,
  })
})

it('shows required and granted scopes in the example', async () => {
  const { text } = await service.call('GET', '/errors/insufficient_scope', { token: null })
  expect(text).toContain('&quot;required&quot;')
  expect(text).toContain('&quot;granted&quot;')
})

it('loads nothing, and allows only its own style in its policy', async () => {
  const { text, headers } = await service.call('GET', '/errors/not_found', { token: null })
  expect(text).not.toMatch(/<script|<link|<img|\son\w+=|javascript:|@import|url\(/i)
  const [, style = ''] = /<style>([^]+?)<\/style>/.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
})

it('serves the page at the `type` of a problem', async () => {
  const { body } = await service.call('GET', '/v1/auth/token/self', { token: null })
  const page = await service.call('GET', new URL(body.type).pathname, { token: null })
  expect(page.status).toBe(200)
  expect(page.text).toContain('<code>unauthorized</code>')
})
