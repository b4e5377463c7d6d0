import { readFile } from 'node:fs/promises'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let document: any
let operations: { name: string; operation: any }[]

beforeAll(async () => {
  service = await startService({ env: { PUBLIC_URL: 'https://links.example' } })
  document = (await service.call('GET', '/openapi.json', { token: null })).body
  operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )
})
afterAll(() => service.stop())

/** The required scopes of operations. '' means any token, and null means none. */
const scopes: Record<string, string | null> = {
  'post /v1/auth/token': 'tokens:write',
  'get /v1/auth/tokens': 'tokens:read',
  'get /v1/auth/token/self': '',
  'delete /v1/auth/token/self': '',
  'get /v1/auth/token/{id}': 'tokens:read',
  'delete /v1/auth/token/{id}': 'tokens:write',
  'post /v1/auth/token/{id}/rotate': 'tokens:write',
  'post /v1/auth/revoke': null,
  'get /v1/audit-log': 'audit:read',
  'post /v1/webhooks': 'webhooks:write events:read',
  'get /v1/webhooks': 'webhooks:read',
  'get /v1/webhooks/{id}': 'webhooks:read',
  'patch /v1/webhooks/{id}': 'webhooks:write',
  'delete /v1/webhooks/{id}': 'webhooks:write',
  'post /v1/webhooks/{id}/secret/rotate': 'webhooks:write',
  'get /v1/events': 'events:read',
  'get /v1/events/{id}': 'events:read',
  'get /v1/event-types': 'events:read',
}

/** Returns whether the property is not a reference, a list of references or a union. */
const isLeaf = (property: any) =>
  !property.$ref && !property.allOf && !property.anyOf && !property.items?.$ref

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with server, license, contact and version', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.servers).toEqual([expect.objectContaining({ url: 'https://links.example/api' })])
    expect(document.info).toMatchObject({
      license: { name: 'MIT' },
      contact: { url: 'https://links.example' },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
    expect(document.components.securitySchemes.bearer.bearerFormat).not.toBe('JWT')
  })

  it.each(['/healthz', '/readyz', '/metrics', '/{slug}'])('has %s outside the base path', (path) => {
    expect(document.paths[path].get.servers).toEqual([
      expect.objectContaining({ url: 'https://links.example' }),
    ])
    expect(document.paths[path].get.security).toEqual([])
  })

  it('contains no keywords of OpenAPI 3.0', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('"nullable"')
    expect(text).not.toContain('"exclusiveMinimum":true')
  })

  it.each(Object.entries(scopes))('has %s with the scope %j', (name, scope) => {
    const { operation } = operations.find((each) => each.name === name)!
    expect(operation['x-required-scope']).toBe(scope || null)
    if (scope === null) expect(operation.security).toEqual([])
    else expect(operation.security).toEqual([{ bearer: [] }])
    for (const each of scope?.split(' ') ?? []) expect(operation.description).toContain(each)
  })

  it('has an ID, a summary, a description and one tag for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
      expect(operation.summary).toMatch(/^[A-Z]/)
      expect(operation.description).toEqual(expect.any(String))
      expect(operation.tags).toHaveLength(1)
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain(operation.tags[0])
      if (operation.security.length > 0) expect('x-required-scope' in operation).toBe(true)
    }
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  it('has a name and a description for every schema', () => {
    for (const [name, schema] of Object.entries<any>(document.components.schemas)) {
      expect(name).toMatch(/^[A-Z][A-Za-z]+$/)
      expect(name).not.toMatch(/Dto$/)
      expect({ name, description: schema.description }).toEqual({
        name,
        description: expect.stringMatching(/^[A-Z`].*\.$/s),
      })
    }
  })

  it('has examples for response fields and required parameters only', () => {
    for (const [name, schema] of Object.entries<any>(document.components.schemas))
      for (const [field, property] of Object.entries<any>(schema.properties ?? {}))
        if (isLeaf(property) && !/Event(Data)?$|^(PreviousLink|ClickedLink|ReportedWebhook)$/.test(name))
          expect({ name, field, example: 'example' in property }).toEqual({ name, field, example: true })
    for (const { name, operation } of operations)
      for (const parameter of operation.parameters ?? [])
        expect({
          name,
          of: parameter.name,
          example: 'example' in parameter || 'example' in parameter.schema || 'default' in parameter.schema,
        }).toEqual({ name, of: parameter.name, example: parameter.required })
  })

  it('has no defaults', () => {
    expect(JSON.stringify({ ...document.paths, ...document.components.schemas })).not.toContain('"default":')
  })

  it('has two example bodies for every JSON call', () => {
    for (const { name, operation } of operations)
      for (const [type, { examples }] of Object.entries<any>(operation.requestBody?.content ?? {}))
        if (type.endsWith('json') && !type.includes('ndjson'))
          expect({ name, examples: Object.keys(examples ?? {}) }).toEqual({
            name,
            examples: ['minimal', 'full'],
          })
  })

  it('uses integers for counts, and limits the page size', () => {
    const { schemas } = document.components
    expect(schemas.ClickCounts.properties.total.type).toBe('integer')
    expect(schemas.Delivery.properties.attempt_count.type).toBe('integer')
    const { operation } = operations.find(({ name }) => name === 'get /v1/links')!
    const limit = operation.parameters.find((parameter: any) => parameter.name === 'limit')
    expect(limit.schema).toEqual({ type: 'integer', format: 'int64', minimum: 1, maximum: 100 })
  })

  it('has the limits of fields', () => {
    const { CreateLink, CreateToken, CreateWebhook } = document.components.schemas
    expect(CreateLink.properties.url).toMatchObject({ maxLength: 8192, pattern: expect.any(String) })
    expect(CreateLink.properties.tags).toMatchObject({ maxItems: 20, items: { minLength: 1, maxLength: 50 } })
    expect(CreateToken.properties.expires_in.pattern).toBe('^[1-9][0-9]{0,4}(s|m|h|d|w)$')
    expect(CreateToken.properties.scopes).toMatchObject({
      minItems: 1,
      items: { $ref: '#/components/schemas/WorkspaceScope' },
    })
    expect(CreateWebhook.properties.url).toMatchObject({ maxLength: 2048 })
  })

  it('accepts merge patches in every PATCH', () => {
    for (const { name, operation } of operations)
      if (name.startsWith('patch '))
        expect(Object.keys(operation.requestBody.content).sort()).toEqual([
          'application/json',
          'application/merge-patch+json',
        ])
  })

  it('has the headers of responses', () => {
    const listResponseHeaders = (name: string, status: string) =>
      Object.keys(operations.find((each) => each.name === name)!.operation.responses[status].headers)
    expect(listResponseHeaders('get /v1/links', '200')).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control', 'Link']),
    )
    expect(listResponseHeaders('post /v1/links', '201')).toEqual(
      expect.arrayContaining(['ETag', 'Location', 'Idempotent-Replayed']),
    )
    expect(listResponseHeaders('get /v1/links', '401')).toContain('WWW-Authenticate')
    expect(listResponseHeaders('get /v1/links', '403')).toContain('WWW-Authenticate')
    expect(listResponseHeaders('get /v1/links', '405')).toContain('Allow')
    expect(listResponseHeaders('get /v1/links', '429')).toContain('Retry-After')
    expect(listResponseHeaders('get /v1/links', '503')).toContain('Retry-After')
    expect(listResponseHeaders('get /{slug}', '302')).toContain('Location')
  })

  it('lists the errors of every operation as problem+json', () => {
    for (const { operation } of operations) {
      const responses = Object.entries<any>(operation.responses)
      for (const [status, response] of responses)
        if (Number(status) >= 400 && response.content['application/problem+json'])
          expect(response.content['application/problem+json'].schema.$ref).toBe(
            '#/components/schemas/Problem',
          )
      const statuses = responses.map(([status]) => status)
      expect(statuses).toEqual(expect.arrayContaining(['405', '431', '503']))
      if (operation.security.length > 0) expect(statuses).toEqual(expect.arrayContaining(['401', '429']))
      if (operation['x-required-scope']) expect(statuses).toContain('403')
    }
  })

  it('has no broken references', () => {
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path!.split('/').reduce<any>((node, key) => node?.[key], document)
      expect({ path, found: typeof found }).toEqual({ path, found: 'object' })
    }
  })

  it('has exactly the fields of a token response in its schema', async () => {
    const { body } = await service.call('GET', '/v1/auth/token/self')
    const schema = document.components.schemas.Token
    expect(Object.keys(body).sort()).toEqual(Object.keys(schema.properties).sort())
    expect([...schema.required].sort()).toEqual(Object.keys(schema.properties).sort())
  })

  it('is available as YAML', async () => {
    const { status, text, headers } = await service.call('GET', '/openapi.yaml', { token: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/yaml'])
    expect(text).toMatch(/^openapi: ["']?3\.1\.\d/m)
    for (const { operation } of operations) expect(text).toContain(`operationId: ${operation.operationId}`)
  })
})

describe('the page at /docs', () => {
  const listDocsFiles = (text: string) =>
    [...text.matchAll(/(?:src="|<link[^>]* href=")(\/docs\/[^"]*)"/g)].map(([, address]) => address!)

  it('explains how to get a token and how to verify webhooks', async () => {
    const { status, text, headers } = await service.call('GET', '/docs', { token: null })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('token create')
    expect(text).toContain('webhook-signature')
    expect(text).toContain('https://links.example/api/v1/links')
  })

  it('links to the guide and the dashboard', async () => {
    const { text } = await service.call('GET', '/docs', { token: null })
    for (const path of ['/docs/guide/', '/dashboard']) expect(text).toContain(`<a href="${path}">`)
    const withoutDashboard = await startService({ env: { DASHBOARD: 'off' } })
    const page = await withoutDashboard.call('GET', '/docs', { token: null })
    expect(page.text).not.toContain('href="/dashboard"')
    await withoutDashboard.stop()
  })

  it('has the fonts of the dashboard', async () => {
    const { text } = await service.call('GET', '/docs', { token: null })
    const style = listDocsFiles(text).find((file) => file.startsWith('/docs/docs.') && file.endsWith('.css'))!
    const { text: css } = await service.call('GET', style, { token: null })
    const dashboardCss = await readFile('dashboard/src/styles/base.css', 'utf8')
    for (const font of ['--sans', '--mono']) {
      const getFont = (from: string) => new RegExp(`${font}:([^;]+);`).exec(from)?.[1]
      expect(getFont(css)).toBe(getFont(dashboardCss))
    }
  })

  it('loads only immutable files of this origin', async () => {
    const { text } = await service.call('GET', '/docs', { token: null })
    const files = listDocsFiles(text)
    expect(files).toHaveLength(6)
    expect(text).not.toMatch(/(?:src|srcset)="https?:|<link[^>]+href="https?:/)
    for (const file of files) {
      expect(file).toMatch(/^\/docs\/[\w-]+\.[\w-]{16}\.(css|js|png)$/)
      const response = await service.call('GET', file, { token: null })
      expect(response.status).toBe(200)
      expect(response.text.length).toBeGreaterThan(100)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('content-type')).toMatch(
        /^(text\/(css|javascript); charset=utf-8|image\/png)$/,
      )
    }
  })

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', null],
  ])('is compressed according to Accept-Encoding: %s', async (accepted, encoding) => {
    for (const path of ['/docs', '/openapi.json', '/openapi.yaml']) {
      const headers = { 'accept-encoding': accepted }
      const first = await service.call('GET', path, { token: null, headers })
      expect([first.status, first.headers.get('content-encoding')]).toEqual([200, encoding])
      expect(first.headers.get('vary')).toContain('accept-encoding')
      expect(first.text).toBe((await service.call('GET', path, { token: null })).text)
    }
  })

  it('is revalidated with its ETag', async () => {
    for (const path of ['/docs', '/openapi.json', '/openapi.yaml']) {
      const { headers } = await service.call('GET', path, { token: null })
      expect(headers.get('cache-control')).toBe('no-cache')
      const etag = headers.get('etag')!
      const unchanged = await service.call('GET', path, { token: null, headers: { 'if-none-match': etag } })
      expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
      const weak = await service.call('GET', path, {
        token: null,
        headers: { 'if-none-match': `"x", W/${etag}` },
      })
      expect(weak.status).toBe(304)
      const other = await service.call('GET', path, { token: null, headers: { 'if-none-match': '"x"' } })
      expect(other.status).toBe(200)
    }
  })

  it('has no inline scripts or styles, and a policy that forbids them', async () => {
    const { text, headers } = await service.call('GET', '/docs', { token: null })
    expect(text.replace(/<script src="[^"]+"><\/script>/g, '')).not.toMatch(/<script|\s(on\w+|style)=|<style/)
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).toMatch(/style-src 'self';/)
    expect(policy).toMatch(/connect-src 'self';/)
    expect(policy).toMatch(/default-src 'none';/)
    expect(policy).not.toMatch(/https?:|\*|unsafe-/)
  })

  it('loads the document of this service and keeps the authorization', async () => {
    const page = await service.call('GET', '/docs', { token: null })
    const script = listDocsFiles(page.text).find(
      (file) => file.startsWith('/docs/docs.') && file.endsWith('.js'),
    )!
    const { text } = await service.call('GET', script, { token: null })
    expect(text).toContain("url: '/openapi.json'")
    expect(text).toContain('persistAuthorization: true')
  })

  it.each(['/', '/docs/'])('is the target of a redirect from %s', async (path) => {
    const { status, headers } = await service.call('GET', path, { token: null })
    expect(status).toBe(302)
    expect(headers.get('location')).toBe('/docs')
  })
})
