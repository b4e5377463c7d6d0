/**
 * Compares answers with openapi.json. It is JavaScript, because all specs of a process share one instance, which is
 * loaded outside of their worlds (see built/). Compiling the schemas in each world would take longer than most specs.
 */
import { readFileSync } from 'node:fs'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

// Strict mode refuses unknown keywords and formats, which would check nothing.
const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false })
// The whole document is added, so that its references resolve. Its top-level keys are not keywords of JSON Schema.
ajv.addVocabulary(['example', 'discriminator', 'externalDocs', ...Object.keys(document)])
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json', undefined, false)

/** Headers of HTTP itself and security headers for browsers. They belong to no single operation. */
const belongToEveryAnswer = new Set([
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

/** Written-out segments win over parameters: `/token/self` is not the token whose id is `self`. */
function patternOf(path) {
  const text = path.replace(/[$()*+.?[\\\]^|]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${text}$`)
}

/** The operation that a request is for. */
export function operationOf(method, path) {
  // The documentation of GET holds for HEAD too, except for the body.
  const asked = method === 'HEAD' ? 'GET' : method
  const [pathname = ''] = path.split('?')
  const matches = operations.filter((each) => each.method === asked && each.pattern.test(pathname))
  return matches.find((each) => each.path === pathname) ?? matches[0]
}

/** The differences of an answer from the document. The list is empty if there are none. */
export function differences(method, path, answer) {
  const operation = operationOf(method, path)
  if (!operation) return ['the document has no such operation']
  const place = [`${answer.status}`, `${Math.floor(answer.status / 100)}XX`, 'default'].find(
    (status) => status in operation.responses,
  )
  if (!place) return [`the status ${answer.status} is not declared`]
  const [pointer, response] = follow([...operation.pointer, 'responses', place])
  return [...ofHeaders(answer.headers, pointer, response), ...ofBody(method, answer, pointer, response)]
}

function ofHeaders(headers, pointer, { headers: declared = {} }) {
  const names = new Map(Object.keys(declared).map((name) => [name.toLowerCase(), name]))
  const wrong = []
  for (const name of headers.keys())
    if (!names.has(name) && !belongToEveryAnswer.has(name)) wrong.push(`the header ${name} is not declared`)
  for (const [lowerCase, name] of names) {
    const [place, header] = follow([...pointer, 'headers', name])
    const value = headers.get(lowerCase)
    if (value === null) wrong.push(...(header.required ? [`the header ${name} is missing`] : []))
    else wrong.push(...errorsOf([...place, 'schema'], asValue(value, header.schema), `the header ${name}`))
  }
  return wrong
}

/** The value of a header, as a number if its schema asks for one. */
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
  // NDJSON has many documents, so its schema is only that of a text and is not checked.
  if (!/[/+]json$/.test(type) || !content[type].schema) return []
  return errorsOf([...pointer, 'content', type, 'schema'], body, 'the body')
}

const isEventStream = (text) => /^(:.*\n|(id|event|data|retry): .*\n|\n)+$/.test(text)

/** The errors of a value, by the schema at a place in the document. */
export function errorsOf(pointer, value, what) {
  const [place] = follow(pointer)
  const validate = ajv.getSchema(`openapi.json#/${place.map(escaped).join('/')}`)
  if (validate(value)) return []
  return validate.errors.map(({ instancePath, message, params }) =>
    `${what}${instancePath} ${message} ${JSON.stringify(params)}`.slice(0, 300),
  )
}

const escaped = (key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Follows all references from a place, and returns the last place and its content. */
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
