/** The documentation in forms for language models: Markdown pages, llms.txt, and one OpenAPI document per tag. */
import { shareService } from '../../support/shared-service.js'
import type { Service } from '../../support/service.js'

const operationNames = ['get', 'post', 'put', 'patch', 'delete']
const limitBytes = 150_000

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

const get = (path: string) => service.call('GET', path, { token: null })

function listOperationIds(document: any): string[] {
  return [document.paths, document.webhooks]
    .flatMap((items) => Object.values<any>(items))
    .flatMap((item) => operationNames.map((name) => item[name]?.operationId))
    .filter((id) => id !== undefined)
}

/** Calls `visit` with every object in a JSON value. */
function visitObjects(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  visit(value as Record<string, unknown>)
  for (const child of Object.values(value)) visitObjects(child, visit)
}

describe('llms.txt', () => {
  it('lists pages that exist as Markdown, with their first sentences', async () => {
    const { status, text, headers } = await get('/llms.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^# Link Service\n\n> Link Service is /)
    const entries = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(: .+\.)?$/gm)]
    expect(entries.length).toBeGreaterThan(40)
    expect(entries.filter(([, , sentence]) => sentence).length).toBeGreaterThan(entries.length / 2)
    for (const [, path] of entries) {
      const page = await get(path!)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/markdown; charset=utf-8',
      ])
    }
  })

  it('names parts of the OpenAPI document that exist', async () => {
    const { text } = await get('/llms.txt')
    const [, names] = /one tag each: (.+)\.$/m.exec(text)!
    for (const name of names!.split(', ')) expect((await get(`/openapi/${name}.json`)).status).toBe(200)
  })
})

describe('the Markdown pages', () => {
  it('link to each other, and not to HTML', async () => {
    const { text } = await get('/docs/guide/receiving-webhooks.md')
    const links = [...text.matchAll(/\]\((\/docs\/guide\/[^)#]+)/g)].map(([, link]) => link!)
    expect(links).toContain('/docs/guide/webhook-signatures.md')
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200])
  })

  it('are all in llms-full.txt, without pages about the code', async () => {
    const { text } = await get('/llms-full.txt')
    expect(text).toContain('<!-- /docs/guide/webhook-signatures.md -->')
    expect(text).toContain('<!-- /docs/guide/tutorials/')
    expect(text).not.toContain('<!-- /docs/guide/decisions/')
  })
})

describe('the parts of the OpenAPI document', () => {
  it('contain every operation once, with all their components, in at most 150 kB', async () => {
    const { body: whole } = await get('/openapi.json')
    const found: string[] = []
    for (const { name } of whole.tags) {
      const file = `${name.toLowerCase().replaceAll(' ', '-')}.json`
      const { status, text, body: part } = await get(`/openapi/${file}`)
      expect([file, status]).toEqual([file, 200])
      expect([file, text.length < limitBytes]).toEqual([file, true])
      found.push(...listOperationIds(part))
      visitObjects(part, ({ $ref }) => {
        if (typeof $ref !== 'string') return
        const [, , section, component] = $ref.split('/')
        const found = part.components[section!][component!]
        // The whole document repeats the responses.
        if (section === 'responses') expect(found).toHaveProperty('description')
        else expect(found).toEqual(whole.components[section!][component!])
      })
    }
    expect(found.sort()).toEqual(listOperationIds(whole).sort())
  })

  it('are listed in the error for an unknown part', async () => {
    const { status, body } = await get('/openapi/unknown.json')
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.detail).toContain('links.json')
  })
})
