/**
 * `node scripts/check-compatibility.js [RELEASED CURRENT]`: fails if an OpenAPI document breaks clients of a released one.
 * Compares openapi.json with the document of the last release by default. docs/compatibility.md has the rules.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const methods = ['get', 'put', 'post', 'patch', 'delete']
const releases = join(import.meta.dirname, '../releases')
const resolveReference = (document, part) => {
  if (!part?.$ref) return part
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce((value, name) => value?.[name], document)
  return resolveReference(document, found)
}
const without = (values = [], others = []) => values.filter((value) => !others.includes(value))
const typesOf = ({ type }) => (type === undefined ? [] : [type].flat())
const valuesOf = (schema) => schema.enum ?? schema['x-extensible-enum'] ?? []

class Comparison {
  breaks = []
  /** Pairs of schemas that have been compared, because schemas can contain themselves. */
  compared = new Set()

  constructor(released, current) {
    this.released = released
    this.current = current
  }

  compareDocuments() {
    for (const [path, item] of Object.entries(this.released.paths))
      for (const method of methods.filter((name) => item[name])) {
        const where = `${method.toUpperCase()} ${path}`
        const now = this.current.paths[path]?.[method]
        if (now) this.compareOperations(where, item[method], now)
        else this.report(where, 'was removed')
      }
    return this.breaks
  }

  report(where, what) {
    this.breaks.push(`${where} ${what}`)
  }

  compareOperations(where, before, now) {
    if (before.operationId !== now.operationId) this.report(where, `is no longer ${before.operationId}`)
    this.compareParameters(where, before.parameters ?? [], now.parameters ?? [])
    const [body, bodyNow] = [before.requestBody, now.requestBody]
    if (bodyNow?.required && !body?.required) this.report(`${where}: the body`, 'is now required')
    if (body) this.compareContents(`${where}: the body`, body, bodyNow, true)
    for (const [status, response] of Object.entries(before.responses)) {
      const at = `${where}: status ${status}`
      const found = resolveReference(this.current, now.responses[status])
      if (!found) this.report(at, 'was removed')
      else this.compareContents(at, resolveReference(this.released, response), found, false)
    }
  }

  compareParameters(where, before, now) {
    const keyOf = (parameter) => `${parameter.in} parameter ${parameter.name}`
    const all = new Map(before.map((parameter) => [keyOf(parameter), parameter]))
    const allNow = new Map(now.map((parameter) => [keyOf(parameter), parameter]))
    for (const [key, parameter] of all) {
      const found = allNow.get(key)
      if (!found) this.report(`${where}: ${key}`, 'was removed')
      else this.compareSchemas(`${where}: ${key}`, parameter.schema ?? {}, found.schema ?? {}, true)
    }
    for (const [key, { required }] of allNow)
      if (required && !all.get(key)?.required) this.report(`${where}: ${key}`, 'is now required')
  }

  compareContents(where, before, now, isSent) {
    for (const [type, { schema }] of Object.entries(before.content ?? {})) {
      const found = now?.content?.[type]
      if (!found) this.report(`${where} as ${type}`, 'was removed')
      else if (schema) this.compareSchemas(where, schema, found.schema ?? {}, isSent)
    }
  }

  /** `isSent` is true for values that clients send. The service may accept more of them, but may not return new kinds. */
  compareSchemas(where, before, now, isSent) {
    const pair = `${isSent} ${JSON.stringify(before)} ${JSON.stringify(now)}`
    if (this.compared.has(pair)) return
    this.compared.add(pair)
    const old = resolveReference(this.released, before)
    const found = resolveReference(this.current, now)
    this.compareTypes(where, old, found, isSent)
    this.compareProperties(where, old, found, isSent)
    if (old.items) this.compareSchemas(`${where}[]`, old.items, found.items ?? {}, isSent)
    for (const word of ['allOf', 'oneOf', 'anyOf'])
      if (old[word]?.length !== found[word]?.length) this.report(where, `has other variants in ${word}`)
      else old[word]?.forEach((each, i) => this.compareSchemas(where, each, found[word][i], isSent))
  }

  compareTypes(where, before, now, isSent) {
    const [types, typesNow] = [typesOf(before), typesOf(now)]
    const [missing] = isSent ? without(types, typesNow) : without(typesNow, types)
    // A schema without a type accepts all types.
    const acceptsAll = (isSent ? typesNow : types).length === 0
    if (missing && !acceptsAll)
      this.report(where, isSent ? `no longer takes ${missing}` : `can now be ${missing}`)
    if (before.format !== now.format) this.report(where, `has the format ${now.format}, not ${before.format}`)
    for (const value of without(valuesOf(before), valuesOf(now)))
      this.report(where, `no longer has the value ${value}`)
    if (before.enum && !isSent)
      for (const value of without(valuesOf(now), before.enum))
        this.report(where, `can now be ${value}, a new value of a closed enum`)
    if (isSent && now.additionalProperties === false && before.additionalProperties !== false)
      this.report(where, 'no longer takes unknown fields')
  }

  compareProperties(where, before, now, isSent) {
    for (const [name, property] of Object.entries(before.properties ?? {})) {
      const found = now.properties?.[name]
      if (!found) this.report(`${where}.${name}`, 'was removed')
      else this.compareSchemas(`${where}.${name}`, property, found, isSent)
    }
    if (isSent)
      for (const name of without(now.required, before.required))
        this.report(`${where}.${name}`, 'is now required')
    else
      for (const name of without(before.required, now.required))
        if (now.properties?.[name]) this.report(`${where}.${name}`, 'may now be absent')
  }
}

function readDocument(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Returns the document of the last release, or null before the first. */
function lastRelease() {
  if (!existsSync(releases)) return null
  const byVersion = new Intl.Collator('en', { numeric: true })
  const [last] = readdirSync(releases).sort((a, b) => byVersion.compare(b, a))
  return join(releases, last, 'openapi.json')
}

const [released = lastRelease(), current = join(import.meta.dirname, '../openapi.json')] =
  process.argv.slice(2)
const breaks = released
  ? new Comparison(readDocument(released), readDocument(current)).compareDocuments()
  : []
for (const text of breaks) console.error(text)
if (breaks.length > 0) {
  console.error(
    `Changes that break clients of the last release: ${breaks.length}. See docs/compatibility.md.`,
  )
  process.exitCode = 1
}
