/** Generates requests for an operation of openapi.json, with the documented outcome of each. */
import fc from 'fast-check'

import { findDocumentedOperation, findSchemaErrors, resolved } from './document.js'
import { importedFiles } from './files.js'
import type { Operation, Parameter } from './document.js'
import { generateOddValues, generateValues } from './values.js'

/** The documented outcome. `either` depends on something else, such as the database. */
export type Promised = 'accepted' | 'refused' | 'either'

export interface Drawn<Value> {
  value: Value
  promised: Promised
}

export type TokenKind = 'all' | 'elsewhere' | 'narrow' | 'none' | 'nonsense' | 'revoked' | 'expired'

/** An object of the caller, of another workspace, a nonexistent one, or a malformed ID. */
export type Chosen = 'own' | 'foreign' | 'unknown' | { malformed: string }

export interface GeneratedRequest {
  token: TokenKind
  ids: Record<string, Chosen>
  query: [string, unknown][]
  /** The Idempotency-Key: none, short, the longest, or too long. Each key is used once. */
  key: 'none' | 'short' | 'longest' | 'too long'
  /** The If-Match header: absent, the current version, or an older one. */
  version: 'any' | 'current' | 'stale'
  body: { json: unknown; type: string } | { raw: string; type: string } | null
  promised: Promised
}

const accepted = <Value>(value: Value): Drawn<Value> => ({ value, promised: 'accepted' })
const refused = <Value>(value: Value): Drawn<Value> => ({ value, promised: 'refused' })
const either = <Value>(value: Value): Drawn<Value> => ({ value, promised: 'either' })

/** Draws mostly valid values, because an invalid value hides the checks after the first failure. */
function mostly<Value>(
  right: fc.Arbitrary<Drawn<Value>>,
  ...others: fc.Arbitrary<Drawn<Value>>[]
): fc.Arbitrary<Drawn<Value>> {
  return fc.oneof(
    { weight: 10 * Math.max(1, others.length), arbitrary: right },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  )
}

export function requestsFor(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const has = (name: string) => operation.parameters.some((parameter) => parameter.name === name)
  return fc
    .record({
      token: tokens(operation),
      ids: ids(operation),
      query: queries(operation),
      key: has('Idempotency-Key') ? keys : fc.constant(accepted<Key>('none')),
      version: has('If-Match') ? versions : fc.constant(accepted<Version>('any')),
      body: bodies(operation),
    })
    .map(({ token, ids, query, key, version, body }) => ({
      token: token.value,
      ids: ids.value,
      query: query.value,
      key: key.value,
      version: version.value,
      body: body.value,
      // The object of another workspace belongs to the token of that workspace.
      promised: isAtHome(token.value, ids.value)
        ? 'either'
        : together([token, ids, query, key, version, body]),
    }))
}

function isAtHome(token: TokenKind, ids: Record<string, Chosen>): boolean {
  return token === 'elsewhere' && Object.values(ids).includes('foreign')
}

function together(parts: Drawn<unknown>[]): Promised {
  for (const promised of ['refused', 'either'] as const)
    if (parts.some((part) => part.promised === promised)) return promised
  return 'accepted'
}

function tokens(operation: Operation): fc.Arbitrary<Drawn<TokenKind>> {
  const all = fc.constant(accepted<TokenKind>('all'))
  if (!operation.security?.length) return all
  const unknown = fc.constantFrom<TokenKind>('none', 'nonsense', 'revoked', 'expired').map(refused)
  const elsewhere = fc.constant(either<TokenKind>('elsewhere'))
  if (!operation['x-required-scope']) return mostly(all, unknown, elsewhere)
  return mostly(all, unknown, elsewhere, fc.constant(refused<TokenKind>('narrow')))
}

/** Paths with an arbitrary last segment. The first creates a link, the second serves links of all workspaces. */
const takeWhatComes = new Set(['/v1/links/by-external-id/{external_id}', '/{slug}'])

function ids({ method, path, parameters }: Operation): fc.Arbitrary<Drawn<Record<string, Chosen>>> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const own = Object.fromEntries<Chosen>(names.map((name) => [name, 'own']))
  if (names.length === 0) return fc.constant(accepted(own))
  const otherFor = fc.tuple(
    fc.constantFrom(...names),
    fc.oneof(
      fc.constantFrom<Chosen>('foreign', 'unknown'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((malformed) => ({ malformed })),
    ),
  )
  const meantForIt = ([name, other]: [string, Chosen]) => {
    if (typeof other === 'string') return true
    const address = path.replace(`{${name}}`, segment(other.malformed)).replace(/\{\w+\}/g, 'x')
    return findDocumentedOperation(method, address)?.path === path
  }
  return mostly(
    fc.constant(accepted(own)),
    otherFor.filter(meantForIt).map(([name, other]) => {
      const chosen = { ...own, [name]: other }
      return takeWhatComes.has(path) ? either(chosen) : refused(chosen)
    }),
  )
}

/** Escapes a path segment, including dot segments. A lone surrogate cannot be encoded. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, 'x')

/** True if a parameter identifies an object. */
const namesObject = ({ name }: Parameter) => name.endsWith('_id') && name !== 'external_id'
/** True if only the service can create values of a parameter. */
const isOpaque = ({ name }: Parameter) => name === 'cursor' || name === 'after'

/** Maximum query length in characters. Each may be escaped to twelve, and a request line has at most 16 KiB. */
const longestQuery = 1_200

function queries({ path, parameters }: Operation): fc.Arbitrary<Drawn<[string, unknown][]>> {
  const declared = parameters.filter((parameter) => parameter.in === 'query')
  const right = fc
    .tuple(...declared.map(rightParameter))
    .map((drawn) => ({
      value: withoutContradiction(drawn.flatMap(({ value }) => value)),
      promised: isAboutTheFile(
        path,
        drawn.flatMap(({ value }) => value),
      )
        ? 'either'
        : together(drawn),
    }))
    .filter(({ value }) => JSON.stringify(value).length < longestQuery)
  // A short link accepts any query parameter.
  const judged = path === '/{slug}' ? either : refused
  const unknown = right.map(({ value }) => judged<[string, unknown][]>([...value, ['no_such_parameter', 1]]))
  const unusual = declared.map((parameter) =>
    fc
      .tuple(right, generateOddValues(parameter.schema))
      .map(([{ value }, oddValue]) =>
        either<[string, unknown][]>([
          ...value.filter(([name]) => name !== parameter.name),
          [parameter.name, oddValue],
        ]),
      ),
  )
  return mostly(right, unknown, ...(unusual.length > 0 ? [fc.oneof(...unusual)] : []))
}

/** True if the query names a file format. It must match the file, which is drawn independently. */
const isAboutTheFile = (path: string, query: [string, unknown][]) =>
  path === '/v1/imports' && query.some(([name]) => name === 'format')

/** Removes contradictions: half a range, a range with an interval, too many buckets, and a comparison with all. */
function withoutContradiction(query: [string, unknown][]): [string, unknown][] {
  const parameters = new Map(query)
  const isUnpaired = parameters.has('start') !== parameters.has('end')
  const isRange = parameters.has('start') && parameters.has('end')
  const isLong = ['90d', '12mo'].includes(parameters.get('interval') as string)
  const drop = new Set([
    ...(isUnpaired ? ['start', 'end'] : []),
    ...(isRange ? ['interval'] : []),
    ...(parameters.get('group_by') !== 'time' || (isLong && !isRange) ? ['granularity'] : []),
    ...(parameters.get('interval') === 'all' ? ['compare'] : []),
  ])
  return query.filter(([name]) => !drop.has(name))
}

function rightParameter(parameter: Parameter): fc.Arbitrary<Drawn<[string, unknown][]>> {
  const { name, required, schema } = parameter
  const absent = fc.constant(accepted<[string, unknown][]>([]))
  if (isOpaque(parameter)) return absent
  const present = namesObject(parameter)
    ? fc.constant(accepted<[string, unknown][]>([[name, 'own']]))
    : generateValues(schema, name).map((value) =>
        accepted([value].flat().map((each): [string, unknown] => [name, each])),
      )
  return required ? present : fc.oneof({ weight: 3, arbitrary: absent }, { weight: 1, arbitrary: present })
}

type Key = GeneratedRequest['key']
const keys = mostly<Key>(
  fc.constantFrom<Key>('none', 'short', 'longest').map(accepted),
  fc.constant(refused<Key>('too long')),
)

type Version = GeneratedRequest['version']
const versions = mostly<Version>(
  fc.constantFrom<Version>('any', 'current').map(accepted),
  fc.constant(refused<Version>('stale')),
)

function getJsonBody({ pointer, requestBody }: Operation) {
  const types = Object.keys(requestBody?.content ?? {}).filter((each) => /[/+]json$/.test(each))
  const [type] = types
  if (!requestBody || !type) return null
  return {
    types,
    schema: requestBody.content[type]!.schema,
    pointer: [...pointer, 'requestBody', 'content', type, 'schema'],
  }
}

function bodies(operation: Operation): fc.Arbitrary<Drawn<GeneratedRequest['body']>> {
  if (operation.operationId === 'createImport') return importedFiles
  const declared = getJsonBody(operation)
  if (!declared) return fc.constant(accepted(null))
  const { schema, pointer, types } = declared
  const right = (generateValues(schema) as fc.Arbitrary<Record<string, unknown>>).map((value) =>
    agreeing(operation, value),
  )
  const isWrong = (value: unknown) => findSchemaErrors(pointer, value, '').length > 0

  const { properties = {}, required = [] } = resolved(schema)
  const changed = fc.oneof(
    ...Object.entries(properties).map(([name, property]) =>
      fc
        .tuple(right, generateOddValues(property))
        .map(([value, odd]): unknown => ({ ...value, [name]: odd })),
    ),
  )
  const incomplete = required.map((name) => right.map((value): unknown => ({ ...value, [name]: undefined })))
  const notJson = fc.constantFrom('{', '{"a":1}}', '[]', '"x"', '\u0000', '{"a":1,"a":2}')
  const emptyBodies = fc.constantFrom('', 'null')
  const expectForEmpty = operation.requestBody?.required === false ? accepted : refused
  const more = right.map((value): unknown => ({ ...value, no_such_field: 1 }))
  const drawn = mostly<{ json: unknown } | { raw: string }>(
    right.map((json) => accepted({ json })),
    changed
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      .map((json) => (isWrong(json) && !isJudgedByPart(json) ? refused({ json }) : either({ json }))),
    fc.oneof(more, ...incomplete).map((json) => refused({ json })),
    notJson.map((raw) => refused({ raw })),
    emptyBodies.map((raw) => expectForEmpty({ raw })),
  )
  return fc
    .tuple(drawn, fc.constantFrom(...types))
    .map(([{ value, promised }, type]) => ({ value: { ...value, type }, promised }))
}

/** The path contains the external ID. A body may repeat it, but not clear it. */
function agreeing({ path }: Operation, value: Record<string, unknown>): Record<string, unknown> {
  if (!path.endsWith('/{external_id}') || value['external_id'] !== null) return value
  const copy = { ...value }
  delete copy['external_id']
  return copy
}

/** True if each link is validated separately. The response is then 200 and lists errors. */
const isJudgedByPart = (json: unknown) => (json as { atomic?: unknown }).atomic === false
