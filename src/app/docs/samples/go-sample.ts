/** Code samples for clients/go: the call of the method, in a function that returns an error. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { json } from '../../../platform/http/input/body.js'
import { callStatements } from './client-calls.js'
import { createGoCall } from './go-calls.js'
import type { GoCall } from './go-calls.js'
import { goConstant, goName, queryType, refName, requestType } from './go-names.js'
import type { GoSchema } from './go-names.js'
import type { DocumentedOperation, SampleRequest } from './sample-request.js'

const returnError = 'if err != nil {\n\treturn err\n}'
const maxLineLength = 60

/** Returns the sample of an operation, or null if it has no statement. */
export function goSample(
  request: SampleRequest,
  operation: DocumentedOperation,
  document: OpenAPIObject,
): string | null {
  const statement = callStatements[request.operationId]
  if (statement === undefined) return null
  const call = createGoCall(document, operation)
  if (!call) return httpSample(request)
  const text = callText(call, request, operation, document)
  // `type` is a keyword in Go.
  const variable = (/const (\w+) (?:=|of) /.exec(statement)?.[1] ?? 'row').replace(/^type$/, 'eventType')
  const member = /console\.log\(\w+\.(\w+)\)/.exec(statement)?.[1]
  const printed = member === undefined ? variable : `${variable}.${goName(member)}`
  switch (call.kind) {
    case 'empty':
      return `if err := ${text}; err != nil {\n\treturn err\n}`
    case 'list':
      return rangeText(`${text}.All()`, variable, printed)
    case 'live':
      return rangeText(text, 'row', 'row.Item')
    case 'image':
      return `${variable.replace('response', 'image')}, err := ${text}\n${returnError}\nfmt.Println(string(image))`
    case 'download':
      return `file, err := ${text}\n${returnError}\ndefer file.Close()\n_, err = io.Copy(os.Stdout, file)\nreturn err`
    case 'call':
    case 'feed':
      return `${variable}, err := ${text}\n${returnError}\nfmt.Println(${variable})`
  }
}

function rangeText(items: string, variable: string, printed: string): string {
  const body = `${returnError}\nfmt.Println(${printed})`.replaceAll(/^/gm, '\t')
  return `for ${variable}, err := range ${items} {\n${body}\n}`
}

/** Returns a plain HTTP request, because the client has no method for the operation. */
function httpSample({ url, isRedirect }: SampleRequest): string {
  const close = `${returnError}\ndefer response.Body.Close()`
  if (!isRedirect)
    return `response, err := http.Get(${JSON.stringify(url)})\n${close}\n_, err = io.Copy(os.Stdout, response.Body)\nreturn err`
  const request = `request, err := http.NewRequest("GET", ${JSON.stringify(url)}, nil)\n${returnError}`
  const response = `response, err := http.DefaultTransport.RoundTrip(request)\n${close}`
  return `${request}\n${response}\nfmt.Println(response.Header.Get("Location"))`
}

function callText(
  call: GoCall,
  request: SampleRequest,
  operation: DocumentedOperation,
  document: OpenAPIObject,
): string {
  const { path, query, body, file } = request
  const values: Record<string, unknown> = { ...path, ...query }
  const args = call.parameters.map(({ source, origin, type }) => {
    const open = type.startsWith('*') ? `&linkservice.${origin}` : `linkservice.${origin}`
    switch (source) {
      case 'file':
        return `strings.NewReader(${JSON.stringify(file?.text ?? '')})`
      case 'format':
        return 'linkservice.ExportFormatNDJSON'
      case 'body': {
        if (!body) return 'nil'
        const schema = jsonSchema(operation)
        return structLiteral(open, body, (field) => bodyField(document, schema, field))
      }
      case 'query': {
        const given = call.query.filter((each) => each.name in query)
        if (given.length === 0) return 'nil'
        const fields = Object.fromEntries(given.map((each) => [each.name, query[each.name]]))
        return structLiteral(open, fields, (field) => ({
          type: queryType(given.find((each) => each.name === field)!.schema),
          elements: null,
        }))
      }
      case 'bodyField':
        return JSON.stringify(Object.values(body ?? {})[0])
      case 'after':
        return JSON.stringify(query['after'] ?? '')
      case 'path':
      case 'queryField':
        return JSON.stringify(values[origin])
    }
  })
  return `client.${call.service}.${call.method}(${['ctx', ...args].join(', ')})`
}

interface FieldType {
  type: string
  /** Returns the types of the fields of the elements of a list. */
  elements: ((field: string) => FieldType) | null
}

function jsonSchema({ requestBody }: DocumentedOperation): GoSchema {
  const { content } = requestBody as { content: Record<string, { schema?: GoSchema }> }
  return content[json]?.schema ?? {}
}

function bodyField(document: OpenAPIObject, schema: GoSchema, field: string): FieldType {
  const struct = refName(schema)!
  const { properties = {}, required = [] } = document.components?.schemas?.[struct] as GoSchema
  const fieldSchema = properties[field] ?? {}
  return {
    type: requestType(fieldSchema, { isRequired: required.includes(field), struct }),
    elements: (name) => bodyField(document, fieldSchema.items ?? fieldSchema, name),
  }
}

function structLiteral(open: string, value: object, fieldType: (field: string) => FieldType): string {
  const fields = Object.entries(value).map(([field, each]): [string, string] => [
    `${goName(field)}:`,
    valueLiteral(each, fieldType(field)),
  ])
  const line = `${open}{${fields.map((field) => field.join(' ')).join(', ')}}`
  if (line.length <= maxLineLength && !line.includes('\n')) return line
  // gofmt aligns the values.
  const width = Math.max(...fields.map(([name]) => name.length))
  const lines = fields.map(([name, text]) => `\t${name.padEnd(width)} ${text.replaceAll('\n', '\n\t')},\n`)
  return `${open}{\n${lines.join('')}}`
}

function valueLiteral(value: unknown, { type, elements }: FieldType): string {
  const [, optional] = /^Optional\[(.*)\]$/.exec(type) ?? []
  if (optional !== undefined) {
    // `Set` derives its type from the value: an untyped literal would become a plain string.
    const isNamed = /^[A-Z]/.test(optional)
    return `linkservice.Set(${isNamed ? `linkservice.${goConstant(optional, String(value))}` : valueLiteral(value, { type: optional, elements })})`
  }
  if (type === 'time.Time') return timeLiteral(String(value))
  if (Array.isArray(value)) {
    const item = type.slice(2)
    const parts = value.map((each: unknown) =>
      typeof each === 'object' && each !== null
        ? structLiteral('', each, elements!)
        : valueLiteral(each, { type: item, elements: null }),
    )
    const open = `[]${qualified(item)}`
    const line = `${open}{${parts.join(', ')}}`
    if (line.length <= maxLineLength && !line.includes('\n')) return line
    return `${open}{\n${parts.map((part) => `\t${part.replaceAll('\n', '\n\t')},\n`).join('')}}`
  }
  if (typeof value === 'object' && value !== null) return structLiteral(qualified(type), value, elements!)
  return JSON.stringify(value)
}

function qualified(type: string): string {
  return /^[A-Z]/.test(type) ? `linkservice.${type}` : type
}

function timeLiteral(text: string): string {
  const at = new Date(text)
  const parts = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()]
  return `time.Date(${[...parts, at.getUTCMinutes(), at.getUTCSeconds(), 0].join(', ')}, time.UTC)`
}
