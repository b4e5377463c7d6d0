/** Code samples for clients/python, whose methods have the names of clients/typescript in snake case. */
import { callStatements } from './client-calls.js'
import type { SampleRequest } from './sample-request.js'

/** Operations that have no method. */
const plainRequests: Readonly<Record<string, string>> = {
  followLink: 'print(response.headers["location"])',
  getHealth: 'print(response.json())',
  getReadiness: 'print(response.status_code)',
  getMetrics: 'print(response.text)',
}

const loop =
  /^for await \(const (\W*)(\w+)\W* of (?:await )?client\.(\w+)\.(\w+)\(.*?\)\)[\s{]*(console\.log|process\.stdout\.write)\((.*?)\)/
const call = /^(?:const (\w+) = )?await client\.(\w+)\.(\w+)\(/

/** Returns the sample of an operation, or null if it has no statement. */
export function pythonSample(request: SampleRequest): string | null {
  const plainPrint = plainRequests[request.operationId]
  if (plainPrint !== undefined)
    return `import httpx\n\nresponse = httpx.get(${toLiteral(request.url)})\n${plainPrint}`
  const statement = callStatements[request.operationId] ?? ''
  const lines = loopLines(request, statement) ?? callLines(request, statement)
  return lines && [...setUp(request, lines), ...lines].join('\n')
}

function loopLines(request: SampleRequest, statement: string): string[] | null {
  const [, pattern, variable = '', group = '', method = '', output, printed = ''] = loop.exec(statement) ?? []
  if (pattern === undefined) return null
  // The rows of a followed feed have an item and a cursor.
  const name = pattern === '' ? variable : 'row'
  const [, field] = printed.split('.')
  const value = pattern !== '' ? `row.${variable}` : field === undefined ? name : `${name}["${field}"]`
  const print = output === 'console.log' ? 'print' : 'sys.stdout.buffer.write'
  return [`for ${name} in ${callText(request, group, method)}:`, `    ${print}(${value})`]
}

function callLines(request: SampleRequest, statement: string): string[] | null {
  const [match, variable, group = '', method = ''] = call.exec(statement) ?? []
  if (match === undefined) return null
  const text = callText(request, group, method)
  if (variable === undefined) return [text]
  const isText = statement.includes('.text()')
  return [`${variable} = ${text}`, `print(${variable}${isText ? '.decode()' : ''})`]
}

function setUp({ baseUrl, needsToken }: SampleRequest, lines: readonly string[]): string[] {
  const imports = [
    ...(needsToken ? ['import os'] : []),
    ...(lines.some((line) => line.includes('sys.')) ? ['import sys'] : []),
  ]
  return [
    ...(imports.length > 0 ? [...imports, ''] : []),
    'from link_service import LinkService',
    '',
    'client = LinkService(',
    `    base_url=${toLiteral(baseUrl)},`,
    ...(needsToken ? ['    token=os.environ["LINK_SERVICE_TOKEN"],'] : []),
    ')',
    '',
  ]
}

const maxLineLength = 72
const keywords = ['from', 'class']

/** Path parameters and files are positional. The fields of the body and the query are keyword arguments. */
function callText({ path, body, query, file }: SampleRequest, group: string, method: string): string {
  const named = Object.entries({ ...body, ...query }).map(([name, value]) => {
    const parameter = keywords.includes(name) ? `${name}_` : name
    return `${parameter}=${toLiteral(value, '    ')}`
  })
  const positional = [...Object.values(path), ...(file ? [file.text] : [])].map((each) => toLiteral(each))
  const parts = [...positional, ...named]
  const start = `client.${snakeCase(group)}.${snakeCase(method)}(`
  const line = `${start}${parts.join(', ')})`
  if (parts.length === 0 || (line.length <= maxLineLength && !line.includes('\n'))) return line
  return `${start}\n${parts.map((part) => `    ${part},\n`).join('')})`
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Returns a Python literal, formatted like the sources. */
function toLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent}    `
  const parts = Object.entries(value).map(([name, each]) => {
    const text = toLiteral(each, inner)
    return isList ? text : `${JSON.stringify(name)}: ${text}`
  })
  const [open, close] = isList ? '[]' : '{}'
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= maxLineLength - 12 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
