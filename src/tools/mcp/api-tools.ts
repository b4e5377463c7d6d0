/** Derives tools from the operations of the OpenAPI document. */
import type { CallInput, OperationId } from '@link-service/client'
import type { OpenAPIObject } from '@nestjs/swagger'

const json = 'application/json'
/** Lists of the API have up to 100 items, and 20 by default. */
const defaultItems = 10
const readMethod = 'get'

export interface ToolArguments {
  body?: unknown
  [parameter: string]: unknown
}

export interface ApiTool {
  name: string
  operationId: OperationId
  title: string
  description: string
  inputSchema: Record<string, unknown>
  isReadOnly: boolean
  toInput: (args: ToolArguments) => CallInput
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: object
}

interface JsonOperation {
  operationId: string
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { content?: Record<string, unknown> }>
  'x-required-scope'?: string
}

/** Returns the tools that the scopes of a token permit, without those that change data unless `canWrite` is true. */
export function createTools(
  document: OpenAPIObject,
  scopes: readonly string[],
  { canWrite }: { canWrite: boolean },
): ApiTool[] {
  const schemas = document.components?.schemas ?? {}
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, JsonOperation>)
        .filter(([method]) => canWrite || method === readMethod)
        .filter(([, operation]) => isForJson(operation) && isPermitted(operation, scopes))
        .map(([method, operation]) => createTool(path, operation, method === readMethod, schemas)),
    )
}

function isPermitted(operation: JsonOperation, scopes: readonly string[]): boolean {
  const required = operation['x-required-scope']?.split(' ') ?? []
  return required.every((scope) => scopes.includes(scope))
}

/** Returns false for files and streams, which a tool cannot return. */
function isForJson({ requestBody, responses }: JsonOperation): boolean {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const types = Object.keys(success?.[1].content ?? {})
  return (!requestBody || json in requestBody.content) && (types.length === 0 || types.includes(json))
}

function createTool(path: string, operation: JsonOperation, isReadOnly: boolean, schemas: object): ApiTool {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const used = parameters.filter((parameter) => parameter.in !== 'header')
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const hasLimit = used.some(({ name }) => name === 'limit')
  return {
    name: operationId,
    operationId: operationId as OperationId,
    title: summary,
    description: description ?? summary,
    inputSchema: createInputSchema(used, requestBody, schemas),
    isReadOnly,
    toInput: ({ body, ...values }) => {
      const query = Object.entries(values).filter(([name]) => !inPath.includes(name))
      return {
        // The client rejects missing values.
        path: inPath.map((name) => values[name] as string),
        query: { ...(hasLimit ? { limit: defaultItems } : {}), ...Object.fromEntries(query) },
        ...(body === undefined ? {} : { body }),
      }
    },
  }
}

function createInputSchema(
  parameters: readonly Parameter[],
  requestBody: JsonOperation['requestBody'],
  schemas: object,
): Record<string, unknown> {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  )
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  const body = requestBody?.content[json]?.schema
  const input = {
    type: 'object',
    properties: body ? { ...properties, body } : properties,
    required: requestBody?.required ? [...required, 'body'] : required,
    additionalProperties: false,
  }
  return inlineSchemas(input, schemas as Record<string, unknown>)
}

/** Keywords of schemas that tools omit: those of OpenAPI only, and patterns, which the API explains in its errors. */
const omittedKeywords = /^(?:x-.+|example|discriminator|pattern)$/

/** Moves the schemas to which a schema refers into it. */
function inlineSchemas(schema: object, schemas: Record<string, unknown>): Record<string, unknown> {
  const definitions: Record<string, unknown> = {}
  const convert = (value: unknown): Record<string, unknown> =>
    JSON.parse(
      JSON.stringify(value, (name, each: unknown) =>
        omittedKeywords.test(name) ? undefined : each,
      ).replaceAll('#/components/schemas/', '#/$defs/'),
    ) as Record<string, unknown>
  const collect = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (name in definitions) continue
      definitions[name] = convert(schemas[name])
      collect(definitions[name])
    }
  }
  const converted = convert(schema)
  collect(converted)
  return Object.keys(definitions).length === 0 ? converted : { ...converted, $defs: definitions }
}
