/** Code samples for clients/typescript. */
import type { SampleRequest } from './sample-request.js'
import { callStatements } from './client-calls.js'

/** Returns the sample of an operation, or null if it has no statement. */
export function typescriptSample(request: SampleRequest): string | null {
  const statement = callStatements[request.operationId]
  if (statement === undefined) return null
  const filled = statement
    .replace('…', () => allArguments(request))
    .replace(/\{(\w+)\}/g, (_all, name: string) => toLiteral(namedValues(request)[name]))
  const [, variable] = /^const (\w+) = [^\n]*$/.exec(statement) ?? []
  const lines = [filled, ...(variable === undefined ? [] : [`console.log(${variable})`])]
  if (statement.includes('client.')) lines.unshift(...setUp(request))
  return lines.join('\n')
}

function setUp({ baseUrl, needsToken }: SampleRequest): string[] {
  const token = needsToken ? ['  token: process.env.LINK_SERVICE_TOKEN,'] : []
  return [
    `import { LinkService } from '@link-service/client'`,
    '',
    'const client = new LinkService({',
    `  baseUrl: ${toLiteral(baseUrl)},`,
    ...token,
    '})',
    '',
  ]
}

/** Returns the path parameters, the body and the query, as most methods of the client take them. */
function allArguments({ path, body, query }: SampleRequest): string {
  const values = [...Object.values(path), ...(body ? [body] : [])]
  if (Object.keys(query).length > 0) values.push(query)
  return values.map((value) => toLiteral(value)).join(', ')
}

function namedValues(request: SampleRequest): Record<string, unknown> {
  const { url, path, query, body, file } = request
  return { ...path, ...query, ...body, url, query, file: file?.text }
}

const maxLineLength = 60

/** Returns a JavaScript literal, formatted like the sources. */
function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const parts = Object.entries(value).map(([name, each]) => {
    const text = toLiteral(each, inner)
    return isList ? text : `${/^\w+$/.test(name) ? name : quote(name)}: ${text}`
  })
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length <= maxLineLength && !line.includes('\n')) return line
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
