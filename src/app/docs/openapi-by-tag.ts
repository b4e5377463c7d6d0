/** Splits the OpenAPI document, which is too long for the context of many language models, into one document per tag. */
import type { OpenAPIObject } from '@nestjs/swagger'

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>

const reference = '#/components/'

/** Returns the documents by file name. Each contains the operations of a tag and all components that they refer to. */
export function splitByTag(document: OpenAPIObject): Map<string, OpenAPIObject> {
  return new Map(
    document.tags!.map((tag) => {
      const operations = {
        paths: withTag(document.paths, tag.name),
        webhooks: withTag(document.webhooks ?? {}, tag.name),
      }
      const components = usedComponents(operations, document)
      const part = { ...document, ...operations, tags: [tag], components }
      return [getTagFileName(tag.name), shareResponses(part)]
    }),
  )
}

function getTagFileName(tag: string): string {
  return `${tag.toLowerCase().replaceAll(' ', '-')}.json`
}

type PathItems = Record<string, object>

function withTag<T extends PathItems>(items: T, tag: string): T {
  const kept = Object.entries(items).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, { tags }]: [string, { tags?: string[] }]) =>
      tags?.includes(tag),
    )
    return operations.length > 0 ? [[path, Object.fromEntries(operations)]] : []
  })
  return Object.fromEntries(kept) as T
}

type ComponentSections = Record<string, Record<string, unknown>>

/** Returns the security schemes and all components to which a value refers, directly or through other components. */
function usedComponents(value: unknown, { components = {} }: OpenAPIObject): ComponentSections {
  const all = components as ComponentSections
  const used: ComponentSections = { securitySchemes: all['securitySchemes'] ?? {} }
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [section, name] of referencesIn(next)) {
      const found = all[section]?.[name]
      if (found === undefined || used[section]?.[name] !== undefined) continue
      used[section] = { ...used[section], [name]: found }
      waiting.push(found)
    }
  return used
}

/** Returns the sections and names of all components that a value refers to, even in a discriminator mapping. */
function referencesIn(value: unknown): [section: string, name: string][] {
  const texts = JSON.stringify(value).match(/"#\/components\/\w+\/[\w.-]+"/g) ?? []
  return [...new Set(texts)].map((text) => {
    const [section, name] = text.slice(reference.length + 1, -1).split('/')
    return [section!, name!]
  })
}

/** Moves responses that several operations have in common, such as errors, to the components. */
function shareResponses(document: OpenAPIObject): OpenAPIObject {
  const all = Object.values(document.paths)
    .flatMap((item) => Object.values(item as Record<string, { responses?: object }>))
    .flatMap(({ responses = {} }) => Object.entries(responses))
  const counts = new Map<string, number>()
  for (const [, response] of all) {
    const text = JSON.stringify(response)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const names = new Map<string, string>()
  for (const [status, response] of all) {
    const text = JSON.stringify(response)
    if (counts.get(text)! > 1 && !names.has(text)) names.set(text, `Response${status}_${names.size + 1}`)
  }
  const shared = [...names].map(([text, name]) => [name, JSON.parse(text) as Responses[string]] as const)
  const replaced = JSON.stringify(document.paths, (_key, value: unknown) => {
    const name = typeof value === 'object' ? names.get(JSON.stringify(value)) : undefined
    return name === undefined ? value : { $ref: `${reference}responses/${name}` }
  })
  return {
    ...document,
    paths: JSON.parse(replaced) as OpenAPIObject['paths'],
    components: { ...document.components, responses: Object.fromEntries(shared) },
  }
}
