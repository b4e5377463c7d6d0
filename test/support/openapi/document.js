/**
 * Compares responses with openapi.json. Plain JavaScript, because all spec files of a process share one instance, which
 * is loaded outside their module registries (see built/): compiling the schemas takes longer than most specs.
 */
import { readFileSync } from 'node:fs'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

// Strict mode rejects unknown keywords and formats, which would check nothing.
const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false })
// The full document is added to resolve references. Its top-level keys are not JSON Schema keywords.
ajv.addVocabulary([
  'example',
  'discriminator',
  'externalDocs',
  'x-enum-descriptions',
  ...Object.keys(document),
])
// The service uses only the known values of an open enum.
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  type: 'string',
  validate: (values, value) => values.includes(value),
})
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json', undefined, false)

/** General HTTP and security headers, which no operation documents. */
const undocumentedHeaders = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
])

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => method in item)
    .map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      pointer: ['paths', path, method],
      pattern: patternOf(path),
      ...item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolved),
    })),
)

/** Literal segments win over parameters: `/token/self` is not the token with the ID `self`. */
function patternOf(path) {
  const text = path.replace(/[$()*+.?[\\\]^|]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${text}$`)
}

/** Returns the operation of a request. */
export function findDocumentedOperation(method, path) {
  // HEAD is documented by GET, without the body.
  const documented = method === 'HEAD' ? 'GET' : method
  const [pathname = ''] = path.split('?')
  const matches = operations.filter((each) => each.method === documented && each.pattern.test(pathname))
  return matches.find((each) => each.path === pathname) ?? matches[0]
}

/** Returns the differences between a response and the document. */
export function differences(method, path, actual) {
  const operation = findDocumentedOperation(method, path)
  if (!operation) return ['the document has no such operation']
  const place = [`${actual.status}`, `${Math.floor(actual.status / 100)}XX`, 'default'].find(
    (status) => status in operation.responses,
  )
  if (!place) return [`the status ${actual.status} is not declared`]
  const [pointer, response] = follow([...operation.pointer, 'responses', place])
  return [...ofHeaders(actual.headers, pointer, response), ...ofBody(method, actual, pointer, response)]
}

function ofHeaders(headers, pointer, { headers: declared = {} }) {
  const names = new Map(Object.keys(declared).map((name) => [name.toLowerCase(), name]))
  const wrong = []
  for (const name of headers.keys())
    if (!names.has(name) && !undocumentedHeaders.has(name)) wrong.push(`the header ${name} is not declared`)
  for (const [lowerCase, name] of names) {
    const [place, header] = follow([...pointer, 'headers', name])
    const value = headers.get(lowerCase)
    if (value === null) wrong.push(...(header.required ? [`the header ${name} is missing`] : []))
    else
      wrong.push(
        ...findSchemaErrors([...place, 'schema'], asValue(value, header.schema), `the header ${name}`),
      )
  }
  return wrong
}

/** Returns the value of a header, as a number if its schema requires one. */
function asValue(text, schema) {
  const isNumber = /^(integer|number)$/.test(resolved(schema).type) && /^-?\d+(\.\d+)?$/.test(text)
  return isNumber ? Number(text) : text
}

function ofBody(method, { headers, text, body }, pointer, { content }) {
  if (method === 'HEAD') return text === '' ? [] : ['a HEAD has a body']
  if (!content) return text === '' ? [] : ['no body is declared, and there is one']
  const [type] = (headers.get('content-type') ?? 'no content type').split(';')
  if (!(type in content)) return [`the content type ${type} is not declared`]
  if (type === 'text/event-stream') return isEventStream(text) ? [] : ['the body is no stream of events']
  // NDJSON contains many documents, so it is not checked.
  if (!/[/+]json$/.test(type) || !content[type].schema) return []
  return findSchemaErrors([...pointer, 'content', type, 'schema'], body, 'the body')
}

const isEventStream = (text) => /^(:.*\n|(id|event|data|retry): .*\n|\n)+$/.test(text)

/** Validates a value against the schema at a location in the document. */
export function findSchemaErrors(pointer, value, what) {
  const [place] = follow(pointer)
  const validate = ajv.getSchema(`openapi.json#/${place.map(escaped).join('/')}`)
  if (validate(value)) return []
  return validate.errors.map(({ instancePath, message, params }) =>
    `${what}${instancePath} ${message} ${JSON.stringify(params)}`.slice(0, 300),
  )
}

const escaped = (key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Follows references, and returns the final location and its content. */
function follow(pointer) {
  const node = pointer.reduce((parent, key) => parent[key], document)
  return node.$ref === undefined ? [pointer, node] : follow(pointerOf(node.$ref))
}

export function resolved(node) {
  return node.$ref === undefined ? node : follow(pointerOf(node.$ref))[1]
}

const pointerOf = (ref) =>
  ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
