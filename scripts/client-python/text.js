/** Texts and types in Python. */

const keywords = new Set(['class', 'from', 'import', 'global', 'is', 'in', 'not', 'or', 'and', 'def', 'pass'])
const maxWidth = 96

export const origin = '# Generated from openapi.json by scripts/client-python.js.'

export const isName = (name) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

/** Returns the name of a parameter. */
export const parameterName = (name) => (keywords.has(name) ? `${name}_` : name)

export const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const quote = (text) => JSON.stringify(text)

export const indent = (text, spaces) => text.replace(/^(?=.)/gm, ' '.repeat(spaces))

/** Returns a docstring, indented by 4 or 8 spaces. */
export function docstring(text, spaces) {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').trim()
  const body = wrap(escaped, maxWidth - spaces)
  const isLong = body.includes('\n') || body.length > maxWidth - spaces - 6
  const end = isLong && body.includes('\n') ? '\n"""' : /"$/.test(body) ? ' """' : '"""'
  return `${indent(`"""${body}${end}`, spaces)}\n`
}

/** Wraps each line of a text, and indents the continuation of list items and of described parameters. */
function wrap(text, width) {
  return text
    .split('\n')
    .map((line) => {
      const [, margin, bullet] = /^(\s*)(\* )?/.exec(line)
      const inner = margin + (bullet ? '  ' : margin)
      const lines = []
      for (const word of line.trim().split(/\s+/)) {
        const last = lines.at(-1)
        if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] += ` ${word}`
        else lines.push((lines.length === 0 ? margin : inner) + word)
      }
      return lines.join('\n')
    })
    .join('\n')
}

/**
 * Returns the Python type of a schema. `name` returns the name of a type of the document. Parameters accept more than
 * results contain: any sequence, and a `datetime` for a time.
 */
export function typeOf(schema, { name, isParameter = false }) {
  const inner = (each) => typeOf(each, { name, isParameter })
  if (schema.$ref) return name(schema.$ref.split('/').at(-1))
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map(inner))].join(' | ')
  if (schema.const !== undefined) return `Literal[${quote(schema.const)}]`
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ')
  if (schema.enum && schema.type !== 'null' && schema.type !== 'boolean')
    return `Literal[${schema.enum
      .filter((value) => value !== null)
      .map(quote)
      .join(', ')}]`
  return simpleType(schema, inner, isParameter)
}

function simpleType(schema, inner, isParameter) {
  switch (schema.type) {
    case 'null':
      return 'None'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'string':
      return isParameter && schema.format === 'date-time' ? 'str | datetime' : 'str'
    case 'array':
      return `${isParameter ? 'Sequence' : 'list'}[${inner(schema.items)}]`
    case 'object': {
      const { additionalProperties: values } = schema
      return typeof values === 'object' && !schema.properties
        ? `dict[str, ${inner(values)}]`
        : 'dict[str, Any]'
    }
    default:
      return 'Any'
  }
}
