/** Reads the operations of the document. Methods have the names that the TypeScript sample of the operation calls. */
import { origin, quote, snakeCase } from './text.js'

const verbs = ['get', 'put', 'post', 'patch', 'delete']
const json = 'application/json'

export function readOperations(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) =>
      item[verb] && path.startsWith('/v1/') ? [{ verb, path, item: item[verb] }] : [],
    ),
  )
  return operations.map(({ verb, path, item }) => {
    const { parameters = [], requestBody, responses } = item
    const byPlace = (place) => parameters.filter((each) => each.in === place)
    const content =
      Object.values(responses).find((_each, index) => /^2/.test(Object.keys(responses)[index])).content ?? {}
    return {
      ...methodName(item),
      id: item.operationId,
      constant: snakeCase(item.operationId).toUpperCase(),
      verb: verb.toUpperCase(),
      path,
      summary: item.summary,
      description: item.description,
      pathParameters: byPlace('path'),
      query: byPlace('query'),
      hasKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
      hasVersion: parameters.some(({ name }) => name === 'If-Match'),
      ...readBody(document, requestBody),
      ...readResult(document, content),
      fileTypes: Object.keys(content).filter((type) => type !== json),
    }
  })
}

/** Returns the group and the method in the TypeScript sample, in the style of Python, and whether it iterates. */
function methodName({ operationId, 'x-codeSamples': samples }) {
  const { source = '' } = samples.find(({ lang }) => lang === 'TypeScript') ?? {}
  const [, group, method] = /client\.(\w+)\.(\w+)\(/.exec(source) ?? []
  if (!method) throw new Error(`The TypeScript sample of ${operationId} calls no method of the client.`)
  const isList = source.includes('for await (const') && !source.includes('of await client')
  return { group: snakeCase(group), method: snakeCase(method), isList }
}

function readBody({ components: { schemas } }, requestBody) {
  if (!requestBody) return { body: null, uploadTypes: [] }
  const schema = requestBody.content[json]?.schema
  if (!schema) return { body: null, uploadTypes: Object.keys(requestBody.content) }
  const { properties, required = [] } = schemas[schema.$ref.split('/').at(-1)]
  const fields = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    description: each.description,
    isRequired: required.includes(name),
  }))
  return { body: { fields, isRequired: requestBody.required === true }, uploadTypes: [] }
}

/** Returns the type of the result, and the type of the items if the result is a page. */
function readResult({ components: { schemas } }, content) {
  const schema = content[json]?.schema
  if (!schema) return { result: null, item: null }
  const names = (schema.oneOf ?? [schema]).map(({ $ref }) => $ref.split('/').at(-1))
  const page = names.find((name) => schemas[name].properties?.next_cursor)
  const item = page && schemas[page].properties.data.items.$ref.split('/').at(-1)
  return { result: names[0], item: item ?? null }
}

export function operationsText(document, operations) {
  const lines = operations.map(({ constant, id, verb, path, hasKey }) => {
    const parts = [id, verb, path].map((each) => `    ${quote(each)},\n`).join('')
    return `${constant} = Operation(\n${parts}${hasKey ? '    has_key=True,\n' : ''})\n`
  })
  return `${origin}
"""The operations of the API."""

from .._request import Operation

API_VERSION = ${quote(document.info.version)}

${lines.join('')}`
}
