/** The methods of clients/go, for its generator and for the code samples. Their names are those of clients/typescript. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { json } from '../../../platform/http/input/body.js'
import { callStatements } from './client-calls.js'
import { goName, goVariable, queryType, refName } from './go-names.js'
import type { GoSchema } from './go-names.js'
import type { DocumentedOperation } from './sample-request.js'

interface GoParameter {
  /** Go name, such as `deliveryID`. */
  name: string
  type: string
  source: 'path' | 'after' | 'file' | 'format' | 'queryField' | 'bodyField' | 'body' | 'query'
  /** Name in the request, or the struct. */
  origin: string
}

export interface GoCall {
  service: string
  method: string
  kind: 'call' | 'empty' | 'list' | 'feed' | 'live' | 'download' | 'image'
  parameters: GoParameter[]
  /** Whether the list can also be read as a feed. */
  isFeed: boolean
  /** Go type of the result or of the items, or an empty string. */
  result: string
  /** Fields of the struct of query parameters. */
  query: { name: string; schema: GoSchema; description: string }[]
  /** Media types of a file. */
  types: string[]
}

interface QueryParameter {
  name: string
  in: string
  required?: boolean
  schema?: GoSchema
  description?: string
}

/** Returns the method of an operation, or null if the client has none. */
export function createGoCall(document: OpenAPIObject, operation: DocumentedOperation): GoCall | null {
  const { operationId = '', responses, requestBody } = operation
  const [, group, method] = /client\.(\w+)\.(\w+)\(/.exec(callStatements[operationId] ?? '') ?? []
  if (group === undefined || method === undefined) return null
  const all = (operation.parameters ?? []) as QueryParameter[]
  const content = getContent(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1])
  const shape = getCallShape(content, all)
  const bodySchemas = getContent(requestBody)
  const query = all.filter(
    ({ in: place, name, required }) =>
      place === 'query' && required !== true && !shape.omitted.includes(name),
  )
  const queryStruct = `${goName(operationId)}Query`
  return {
    service: goName(group),
    method: goName(method),
    kind: shape.kind,
    isFeed: all.some(({ name }) => name === 'after'),
    result: shape.result,
    types: Object.keys(content).filter((type) => type !== json),
    query: query.map(({ name, schema = {}, description = '' }) => ({ name, schema, description })),
    parameters: [
      ...all.filter(({ in: place }) => place === 'path').map(({ name }) => parameter(name, 'string', 'path')),
      ...all
        .filter(({ in: place, required }) => place === 'query' && required === true)
        .map(({ name, schema = {} }) => parameter(name, queryType(schema), 'queryField')),
      ...(['feed', 'live'].includes(shape.kind) ? [parameter('after', 'string', 'after')] : []),
      ...bodyParameters(document, bodySchemas, requestBody as { required?: boolean } | undefined),
      ...(shape.kind === 'download' && query.length === 0
        ? [parameter('format', 'ExportFormat', 'format')]
        : []),
      ...(query.length > 0 ? [parameter('query', `*${queryStruct}`, 'query', queryStruct)] : []),
    ],
  }
}

function parameter(name: string, type: string, source: GoParameter['source'], origin = name): GoParameter {
  return { name: goVariable(name), type, source, origin }
}

function getContent(holder: object | undefined): Record<string, { schema?: GoSchema }> {
  return (holder as { content?: Record<string, { schema?: GoSchema }> } | undefined)?.content ?? {}
}

/** Returns the kind of a method, and the query parameters that it sets itself. */
function getCallShape(
  content: Record<string, { schema?: GoSchema }>,
  parameters: readonly QueryParameter[],
): Pick<GoCall, 'kind' | 'result'> & { omitted: string[] } {
  const types = Object.keys(content)
  const schema = content[json]?.schema
  if (!schema) {
    const [first = ''] = types
    if (first === '') return { kind: 'empty', result: '', omitted: [] }
    if (first === 'text/event-stream') return { kind: 'live', result: 'Click', omitted: [] }
    if (first.startsWith('image/')) return { kind: 'image', result: '[]byte', omitted: [] }
    return { kind: 'download', result: 'io.ReadCloser', omitted: [] }
  }
  // Without the ID of a webhook, the response is a page of explanations.
  const [explanation] = schema.oneOf ?? []
  if (explanation)
    return { kind: 'list', result: goName(refName(explanation)!), omitted: ['cursor', 'webhook_id'] }
  const name = refName(schema)!
  if (!name.endsWith('Page')) return { kind: 'call', result: goName(name), omitted: [] }
  const isList = parameters.some((each) => each.name === 'cursor')
  const item = goName(name.replace(/Page$/, ''))
  return { kind: isList ? 'list' : 'feed', result: item, omitted: ['cursor', 'after'] }
}

/** Returns the body. A body with a single, required field is passed as that field. */
function bodyParameters(
  document: OpenAPIObject,
  content: Record<string, { schema?: GoSchema }>,
  { required }: { required?: boolean } = {},
): GoParameter[] {
  const [type] = Object.keys(content)
  if (type === undefined) return []
  const schema = content[json]?.schema
  if (!schema) return [parameter('file', 'io.Reader', 'file')]
  const name = refName(schema)!
  const { properties = {} } = document.components?.schemas?.[name] as GoSchema
  const [field, ...more] = Object.entries(properties)
  if (required === true && field?.[1].type === 'string' && more.length === 0)
    return [parameter(field[0], 'string', 'bodyField', goName(name))]
  const struct = goName(name)
  return [parameter('body', required === true ? struct : `*${struct}`, 'body', struct)]
}
