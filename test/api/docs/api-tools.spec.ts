/** The requests for API tools: the Postman collection and the .http file. */
import { shareService } from '../../support/shared-service.js'
import type { Service } from '../../support/service.js'

interface HttpRequest {
  operationId: string
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

let service: Service
let operations: { id: string; method: string; path: string; summary: string }[]
beforeAll(async () => {
  service = await shareService()
  const { body } = await get('/openapi.json')
  operations = Object.entries<any>(body.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, { operationId: id, summary }]) => ({
      id,
      method: method.toUpperCase(),
      path,
      summary,
    })),
  )
})
afterAll(() => service.stop())

const get = (path: string) => service.call('GET', path, { token: null })
/** The document of a test has no port. */
const ownValues = () => ({ base_url: `${service.origin}/api`, token: service.token })
/** Operations except the stream of live clicks, which does not end. */
const expectedIds = () => operations.map(({ id }) => id).filter((id) => id !== 'followLiveClicks')

/** Reads an .http file. Values of variables replace those in the file. */
function parseHttpFile(text: string, values: Record<string, string> = {}): HttpRequest[] {
  const [declarations = '', ...blocks] = text.split(/^### .+\n/m)
  const declared = [...declarations.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value])
  const variables: Record<string, string> = { ...Object.fromEntries(declared), ...values }
  return blocks.map((block) => {
    const filled = block.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`The file does not declare ${name}.`)
      return value
    })
    const [head = '', body = ''] = filled.trim().split(/\n\n([^]*)/)
    const lines = head.split('\n').filter((line) => !line.startsWith('#'))
    const [method = '', url = ''] = lines.shift()!.split(' ')
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)))
    return { operationId: /# @name (\w+)/.exec(head)![1]!, method, url, headers, body: body || null }
  })
}

describe('the .http file', () => {
  it('contains each operation, with values for all variables', async () => {
    const { text, headers } = await get('/openapi/requests.http')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const requests = parseHttpFile(text)
    expect(requests.map(({ operationId }) => operationId).sort()).toEqual(expectedIds().sort())
    for (const { operationId, method, url } of requests) {
      const operation = operations.find(({ id }) => id === operationId)!
      const base = operation.path.startsWith('/v1/') ? '/api' : ''
      const pattern = `^${base}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`
      expect([operationId, method]).toEqual([operationId, operation.method])
      expect(new URL(url).pathname).toMatch(new RegExp(pattern))
    }
  })

  it('creates a link, which the next requests use', async () => {
    const { text } = await get('/openapi/requests.http')
    const send = async (id: string, values: Record<string, string>) => {
      const request = parseHttpFile(text, { ...ownValues(), ...values }).find(
        ({ operationId }) => operationId === id,
      )!
      const { method, url, headers, body } = request
      return fetch(url, { method, headers, body, redirect: 'manual' })
    }
    const created = await send('createLink', {})
    expect(created.status).toBe(201)
    const { id, slug } = (await created.json()) as { id: string; slug: string }
    expect((await send('updateLink', { link_id: id })).status).toBe(200)
    expect((await send('resolveSlug', { slug })).status).toBe(200)
    expect((await send('deleteLink', { link_id: id })).status).toBe(204)
  })
})

describe('the Postman collection', () => {
  it('contains each operation once, the deletions last', async () => {
    const { body } = await get('/openapi/postman.json')
    const names = body.item.flatMap(({ item }: any) => item.map(({ name }: any) => name))
    const ids = names.map((name: string) => operations.find(({ summary }) => summary === name)!.id)
    expect(ids.toSorted()).toEqual(expectedIds().sort())
    expect(body.item.at(-1).name).toBe('Delete')
    for (const folder of body.item.slice(0, -1))
      for (const { request } of folder.item) expect(request.method).not.toBe('DELETE')
  })

  it('declares all variables, with the URL of the service', async () => {
    const { body, text } = await get('/openapi/postman.json')
    const values = new Map(body.variable.map(({ key, value }: any) => [key, value]))
    const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
    expect([...used].filter((name) => !values.has(name))).toEqual([])
    const { body: document } = await get('/openapi.json')
    expect(values.get('base_url')).toBe(document.servers[0].url)
  })

  it('revokes the calling token only for a token that a run created', async () => {
    const { body } = await get('/openapi/postman.json')
    const { item } = body.item.at(-1)
    const revoke = item.find(({ name }: any) => name === 'Revoke the calling token')
    expect(revoke.request.auth.bearer[0].value).toBe('{{rotated_token}}')
    expect(body.auth.bearer[0].value).toBe('{{token}}')
  })
})

it('the API reference links to both files, and to the guide', async () => {
  const { text } = await get('/docs')
  for (const path of [
    '/openapi/postman.json',
    '/openapi/requests.http',
    '/docs/guide/how-to/api-tools.html',
  ]) {
    expect(text).toContain(`href="${path}"`)
    expect((await get(path)).status).toBe(200)
  }
})
