import { readFileSync } from 'node:fs'

import type { OpenAPIObject } from '@nestjs/swagger'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import { createTools } from './api-tools.js'

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject
const operations = Object.values(document.paths).flatMap((item) =>
  Object.values(item as Record<string, { operationId: string; 'x-required-scope'?: string }>),
)
const scopes = operations.flatMap((operation) => operation['x-required-scope']?.split(' ') ?? [])
const tools = createTools(document, scopes, { canWrite: true })
const findTool = (name: string) => tools.find((tool) => tool.name === name)!

describe('the tools', () => {
  it('cover every operation of the API that is JSON', () => {
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['createLink', 'deleteLink', 'getAnalytics', 'explainEvent']),
    )
    const others = operations.map(({ operationId }) => operationId).filter((id) => !names.includes(id))
    expect(others.sort()).toEqual([
      'createImport',
      'exportAuditEntries',
      'exportLinks',
      'followLink',
      'followLiveClicks',
      'getHealth',
      'getImportReport',
      'getLinkQr',
      'getMetrics',
      'getReadiness',
    ])
  })

  it('have schemas that are complete', () => {
    for (const { name, inputSchema } of tools) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
      addFormats.default(ajv)
      expect([name, typeof ajv.compile(inputSchema)]).toEqual([name, 'function'])
    }
  })

  it('have titles and descriptions', () => {
    for (const { title, description } of tools) expect(description.length).toBeGreaterThan(title.length)
  })

  it('turn arguments into the path, the query and the body', () => {
    expect(findTool('getDelivery').toInput({ delivery_id: 'dlv_2', id: 'wh_1' })).toEqual({
      path: ['wh_1', 'dlv_2'],
      query: {},
    })
    expect(findTool('listLinks').toInput({ tag: 'sale' })).toEqual({
      path: [],
      query: { limit: 10, tag: 'sale' },
    })
    expect(findTool('updateLink').toInput({ id: 'lnk_1', body: { title: 'Spring' } })).toEqual({
      path: ['lnk_1'],
      query: {},
      body: { title: 'Spring' },
    })
  })
})
