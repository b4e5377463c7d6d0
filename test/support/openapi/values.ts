/** Values for the schemas of openapi.json: valid values including their limits, and unusual ones. */
import fc from 'fast-check'

import { resolved } from './document.js'
import type { Schema } from './document.js'

const text = fc.constantFrom(...Array.from('abcXYZ0189 äß€中\u{1F511}-_.,;:/\\"\'<>%&?#+='))
const letters = fc.constantFrom(...Array.from('abcdefghijkmnpqrstuvwxyz23456789'))
const hour = 3_600_000

/** Durations with a whole number and a unit, between two limits in seconds. */
function durations(least: number, most: number): fc.Arbitrary<string> {
  const units = Object.entries({ s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 })
  const each = units.flatMap(([unit, seconds]) => {
    const [min, max] = [Math.ceil(least / seconds), Math.min(99_999, Math.floor(most / seconds))]
    return min > max ? [] : [numbers(Math.max(1, min), max).map((count) => `${count}${unit}`)]
  })
  return fc.oneof(...each)
}

/** Times between two offsets from now in milliseconds, inclusive. */
function times(from: number, to: number): fc.Arbitrary<string> {
  return numbers(from, to).map((distance) => new Date(Date.now() + distance).toISOString())
}

function numbers(min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constant(min), fc.constant(max), fc.integer({ min, max }))
}

/** URLs of this machine at an unused port, so that nothing is sent elsewhere. */
const loopbackUrl = fc.webPath().map((path) => `https://127.0.0.1:2${path}`)

/** Values for fields and parameters with rules that JSON Schema cannot express. */
const beyondSchema: Record<string, fc.Arbitrary<unknown>> = {
  expires_at: times(hour, 300 * 24 * hour),
  expires_in: durations(60, 365 * 86_400),
  overlap: durations(1, 30 * 86_400),
  start: times(-20 * 24 * hour, -10 * 24 * hour),
  end: times(-9 * 24 * hour, 0),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
  since: times(-20 * 24 * hour, -10 * 24 * hour),
  until: times(-9 * 24 * hour, 0),
  // A short slug may be taken or reserved.
  slug: fc.string({ unit: letters, minLength: 12, maxLength: 64 }),
  external_id: fc.string({ unit: letters, minLength: 12, maxLength: 255 }),
  tags: fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 50 }), { maxLength: 20 }),
  limit: numbers(1, 100),
  at: times(-300 * 24 * hour, 300 * 24 * hour),
  // The longest query would exceed the request line once escaped.
  query: fc.string({ unit: letters, minLength: 1, maxLength: 200 }),
  // Sizes that are small enough to be drawn often, and large enough for every level.
  size: numbers(256, 512).map(String),
  margin: numbers(0, 16).map(String),
  // Together with the existing tags, these stay within the limit of a link.
  add_tags: fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 50 }), { maxLength: 20 }),
  // Replaced by IDs of existing links when the request is sent.
  ids: fc.constant(['own']),
  tag: fc.string({ unit: letters, minLength: 1, maxLength: 50 }),
  // Replaced by the ID of an existing event when the request is sent.
  event_id: fc.constant('own'),
  // Of notice targets.
  address: loopbackUrl,
  // Of webhooks.
  headers: fc.constantFrom({}, { 'x-api-key': 'a-key' }),
  // A webhook without batches needs both fields.
  batch: fc.record({ max: numbers(2, 1_000), within: durations(1, 60) }),
  // Of restrictions. The start must be before the expiry.
  not_before: times(-20 * 24 * hour, 0),
  allowed_ips: fc.constantFrom(['203.0.113.0/24'], ['198.51.100.7', '2001:db8::/32']),
  rate_limit: fc.constantFrom('60/1m', '5/10s'),
}

/** Values of a field whose rules differ from those of other fields with its name. */
function valuesIn(schema: Schema, name: string, siblings: object): fc.Arbitrary<unknown> {
  if (name === 'expires_in' && 'allow' in siblings) return durations(60, 86_400)
  // Other formats have no batches.
  if (name === 'format' && 'batch' in siblings) return fc.constant('standard')
  return generateValues(schema, name)
}

export function generateValues(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const node = resolved(schema)
  const types = [node.type].flat()
  const beyond = name === 'tags' && node.minItems ? ofKeywords(node, name) : beyondSchema[name]
  const values = beyond ?? (name === 'url' ? urls(node) : ofKeywords(node, name))
  return types.includes('null') ? fc.option(values, { nil: null, freq: 4 }) : values
}

/** URLs of webhooks and links, at an unused port. */
function urls({ maxLength }: Schema): fc.Arbitrary<string> {
  const longest = `https://127.0.0.1:2/`.padEnd(Math.min(maxLength ?? 2_000, 8_000), 'x')
  return fc.oneof({ weight: 9, arbitrary: loopbackUrl }, { weight: 1, arbitrary: fc.constant(longest) })
}

function ofKeywords(node: Schema, name: string): fc.Arbitrary<unknown> {
  const either = node.oneOf ?? node.anyOf
  if (either) return fc.oneof(...either.map((each) => generateValues(each, name)))
  if (node.allOf?.[0] && node.allOf.length === 1) return generateValues(node.allOf[0], name)
  if ('const' in node) return fc.constant(node.const)
  if (node.type === 'null') return fc.constant(null)
  const known = knownValues(node)
  if (known) return fc.constantFrom(...known)
  switch ([node.type].flat().find((type) => type !== 'null')) {
    case 'string':
      return strings(node)
    case 'integer':
    case 'number':
      return numbers(node.minimum ?? 0, node.maximum ?? 1_000)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return arrays(node)
    case 'object':
      return objects(node)
    case undefined:
    default:
      throw new Error(`values.ts does not support ${JSON.stringify(node)}`)
  }
}

/** Returns the values of an enum, whether it is open or not. */
function knownValues(node: Schema): unknown[] | undefined {
  return node.enum ?? node['x-extensible-enum']
}

/** Lists of objects are short, because long lists would not test more. */
const maxObjects = 5

/** Lists of items. A list of enum values is never empty, because it would select nothing. */
function arrays({ items = {}, minItems = 0, maxItems = 10 }: Schema): fc.Arbitrary<unknown[]> {
  if (knownValues(resolved(items))) return fc.uniqueArray(generateValues(items), { minLength: 1 })
  const most = resolved(items).type === 'object' ? Math.min(maxItems, maxObjects) : maxItems
  return fc.array(generateValues(items), { minLength: minItems, maxLength: most })
}

function strings({ format, pattern = '', minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return times(-300 * 24 * hour, 300 * 24 * hour)
  const least = Math.max(1, minLength)
  const allowed = new RegExp(pattern, 'u')
  // A plain-text pattern only excludes characters. Other patterns generate the values.
  if (!allowed.test('x'.repeat(least))) return fc.stringMatching(allowed)
  return fc
    .oneof(
      { weight: 8, arbitrary: fc.string({ unit: text, minLength: least, maxLength }).map(withoutBlankEnds) },
      { weight: 1, arbitrary: fc.constant('x'.repeat(least)) },
      { weight: 1, arbitrary: fc.constant('\u{1F511}'.repeat(maxLength)) },
    )
    .filter((value) => allowed.test(value))
}

const withoutBlankEnds = (value: string) => value.replace(/^ | $/g, 'x')

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    valuesIn(schema, name, properties),
  ])
  return fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required })
    .map((value) => withoutContradiction(value, 'remove_tags' in properties))
}

/** Removes contradictions: two expiry fields, or a status for events. A bulk update always has a change. */
function withoutContradiction(value: Record<string, unknown>, changesMany: boolean): Record<string, unknown> {
  const copy = { ...value }
  if ('expires_at' in copy) delete copy['expires_in']
  if (copy['from'] === 'events') delete copy['status']
  // Mail needs a server.
  if (copy['type'] === 'email' && 'address' in copy) copy['type'] = 'slack'
  if (changesMany) copy['add_tags'] ??= []
  return copy
}

/** Unusual values. Some may be valid by chance. */
export function generateOddValues(schema: Schema): fc.Arbitrary<unknown> {
  const { maxLength, maxItems, minimum, maximum } = resolved(schema)
  const beyond = [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '\u{1F511}'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ]
  return fc.oneof(
    fc.constantFrom(...beyond, '', null, 0, -1, 1.5, 1e300, true, [], {}, [null], [[]]),
    fc.jsonValue({ maxDepth: 1, stringUnit: 'binary' }),
  )
}
