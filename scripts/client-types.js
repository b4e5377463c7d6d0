/**
 * `node scripts/client-types.js [--check]`: generates the client's types and table of operations from openapi.json.
 * With --check, fails if the committed files differ.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

import { root, say } from './fresh.js'

const folder = join(root, 'clients/typescript/src/generated')
const origin = '// Generated from openapi.json by scripts/client-types.js.\n\n'
const methods = ['get', 'put', 'post', 'patch', 'delete']

const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
const files = { 'routes.ts': routesText(), 'scopes.ts': scopesText(), 'openapi.ts': await typesText() }
for (const [name, text] of Object.entries(files)) {
  const file = join(folder, name)
  if (!process.argv.includes('--check')) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    say(`${name} of the client is out of date. Regenerate it: node scripts/client-types.js`)
    process.exitCode = 1
  }
}

/** Returns the table of operations that the client uses at run time. */
function routesText() {
  // Skip paths outside of /v1/, such as the health checks.
  const ofApi = operations(document.paths).filter(({ path }) => path.startsWith('/v1/'))
  const lines = ofApi.map(({ path, method, operation }) => {
    const takes = inputsOf(operation).map((each) => `'${each}'`)
    const entry = `method: '${method.toUpperCase()}', path: '${path}', takes: [${takes.join(', ')}]`
    return `  ${operation.operationId}: { ${entry} },\n`
  })
  return `${origin}export const apiVersion = '${document.info.version}'\n\nexport const routes = {\n${lines.join('')}} as const\n`
}

/** Returns the description of each scope, for programs that let a user choose scopes. */
function scopesText() {
  const { 'x-extensible-enum': scopes, 'x-enum-descriptions': descriptions } =
    document.components.schemas.Scope
  const lines = scopes.map((scope, index) => `  '${scope}': ${JSON.stringify(descriptions[index])},\n`)
  return `${origin}/** What each scope of a token allows. */\nexport const scopeDescriptions = {\n${lines.join('')}} as const\n`
}

/** Returns the inputs of an operation, apart from the IDs in its path. */
function inputsOf({ parameters = [], requestBody }) {
  const inputs = {
    body: requestBody !== undefined,
    query: parameters.some((each) => each.in === 'query'),
    key: parameters.some(({ name }) => name === 'Idempotency-Key'),
    version: parameters.some(({ name }) => name === 'If-Match'),
  }
  return Object.keys(inputs).filter((name) => inputs[name])
}

/** Returns the types without error responses, for which the client has classes. */
async function typesText() {
  const shortened = JSON.parse(JSON.stringify(document))
  for (const { operation } of [...operations(shortened.paths), ...operations(shortened.webhooks)])
    for (const status of Object.keys(operation.responses))
      if (!/^2/.test(status)) delete operation.responses[status]
  uniteEvents(shortened)
  const nodes = await openapiTS(shortened, {
    // Fields with a default are optional in requests.
    defaultNonNullable: false,
    transform: ({ 'x-extensible-enum': values }) => values && openUnion(values),
  })
  return origin + astToString(nodes)
}

/** Replaces the plain schemas of events by unions of all types. Other generators cannot read these unions. */
function uniteEvents({ components: { schemas }, webhooks }) {
  const oneOf = operations(webhooks).map(
    ({ operation }) => operation.requestBody.content['application/json'].schema,
  )
  const { description, properties } = schemas.EventWithDeliveries
  const deliveries = {
    type: 'object',
    required: ['deliveries'],
    properties: { deliveries: properties.deliveries },
  }
  schemas.Event = { description: schemas.Event.description, oneOf }
  schemas.EventWithDeliveries = { description, allOf: [{ oneOf }, deliveries] }
}

/** Returns the type `'a' | 'b' | (string & {})`: editors suggest the known values, and any other string is valid. */
function openUnion(values) {
  const { factory } = ts
  const anyString = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
  return factory.createUnionTypeNode([
    ...values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value))),
    factory.createParenthesizedType(
      factory.createIntersectionTypeNode([anyString, factory.createTypeLiteralNode([])]),
    ),
  ])
}

function operations(paths) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
}
