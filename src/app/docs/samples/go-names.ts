/** Names and types of clients/go, for its generator and for the code samples. */

export interface GoSchema {
  $ref?: string
  allOf?: GoSchema[]
  anyOf?: GoSchema[]
  oneOf?: GoSchema[]
  type?: string | string[]
  format?: string
  enum?: unknown[]
  items?: GoSchema
  minimum?: number
  minItems?: number
  properties?: Record<string, GoSchema>
  required?: string[]
  additionalProperties?: unknown
  description?: string
}

/** Words that Go writes in capitals. */
const initialisms = new Map(
  [
    'csv',
    'dns',
    'http',
    'https',
    'id',
    'ip',
    'json',
    'ms',
    'ndjson',
    'ok',
    'os',
    'png',
    'qr',
    'svg',
    'tls',
    'url',
    'utf8',
    'utm',
  ].map((word) => [word, word.toUpperCase()]),
).set('ids', 'IDs')

/** Returns the exported Go name of `snake_case`, `camelCase` or `a.name`. */
export function goName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => initialisms.get(word.toLowerCase()) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Returns the Go name of a parameter. */
export function goVariable(name: string): string {
  const [first = '', ...rest] = name.split('_')
  return first + goName(rest.join('_'))
}

/** Returns the Go name of a value of an enum. */
export function goConstant(type: string, value: string): string {
  if (value === '*') return `${type}All`
  return value.startsWith('-') ? `${type}${goName(value.slice(1))}Desc` : type + goName(value)
}

/** Returns the name of the schema that a schema refers to, even if the value can be null. */
export function refName(schema: GoSchema): string | null {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  const [only, ...more] = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])].filter(
    ({ type }) => type !== 'null',
  )
  return only && more.length === 0 ? refName(only) : null
}

function isNullable({ type, anyOf = [] }: GoSchema): boolean {
  return [type].flat().includes('null') || anyOf.some((each) => each.type === 'null')
}

/** Returns the Go type of a schema, without null. */
export function goType(schema: GoSchema): string {
  const name = refName(schema)
  if (name !== null) return goName(name)
  const [only = schema] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  const { format, items = {}, additionalProperties } = only
  switch ([only.type].flat().find((type) => type !== 'null') ?? 'object') {
    case 'string':
      return format === 'date-time' ? 'time.Time' : 'string'
    case 'integer':
      return format === 'int64' ? 'int64' : 'int'
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'array':
      return `[]${goType(items)}`
    default:
      return typeof additionalProperties === 'object'
        ? `map[string]${elementType(additionalProperties as GoSchema)}`
        : 'json.RawMessage'
  }
}

/** Returns the Go type of the values of a map, which can be null in a merge patch. */
function elementType(schema: GoSchema): string {
  return isNullable(schema) ? `Optional[${goType(schema)}]` : goType(schema)
}

/** Returns the Go type of a field of a response. Pointers are nil if the field is null or absent. */
export function responseType(schema: GoSchema, isRequired: boolean): string {
  const type = goType(schema)
  const isPlain = isRequired && !isNullable(schema)
  return isPlain || /^(\[\]|map|json\.)/.test(type) ? type : `*${type}`
}

/** Returns the Go type of a field of a request. A merge patch can clear fields, so all of its fields are optional. */
export function requestType(schema: GoSchema, use: { isRequired?: boolean; struct?: string }): string {
  const type = goType(schema)
  // An empty slice clears a list, unless the list must have items.
  const isClearedByNull = !type.startsWith('[]') || (isNullable(schema) && (schema.minItems ?? 0) > 0)
  if (use.isRequired === true || !isClearedByNull) return type
  const isPatch = use.struct?.startsWith('Update') === true
  return isPatch || isNullable(schema) || isZeroMeaningful(schema) ? `Optional[${type}]` : type
}

/** Returns the Go type of a query parameter. */
export function queryType(schema: GoSchema): string {
  return requestType(schema, {}).replace('int64', 'int')
}

/** Returns whether the zero value of Go differs from an absent field. */
function isZeroMeaningful({ type, enum: values, minimum = 0 }: GoSchema): boolean {
  return values === undefined && (type === 'boolean' || (type === 'integer' && minimum < 1))
}
