/** The types of the Python client: a TypedDict for each object, and an alias for each set of values. */
import { docstring, indent, isName, origin, quote, typeOf } from './text.js'

export function typesText({ components: { schemas }, webhooks }) {
  const events = Object.values(webhooks).map(({ post }) =>
    post.requestBody.content['application/json'].schema.$ref.split('/').at(-1),
  )
  const definitions = Object.entries(schemas).map(([name, schema]) => definition(name, schema))
  const names = [...Object.keys(schemas), 'WebhookEvent'].sort()
  return `${origin}
"""The objects of the API. They are plain dictionaries, and keep fields and values that this version of
the client does not know."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias
else:
    from typing_extensions import NotRequired, TypeAlias

__all__ = [
${names.map((name) => `    ${quote(name)},\n`).join('')}]

${definitions.join('\n')}

WebhookEvent: TypeAlias = Union[
${events.map((name) => `    ${name},\n`).join('')}]
"""A webhook delivery. The value of \`type\` determines the fields of \`data\`. Newer services may send
other types: handle them in the \`else\` branch."""
`
}

function definition(name, schema) {
  const description = schema.description ? docstring(schema.description, 0) : ''
  const values = schema['x-extensible-enum'] ?? schema.enum
  if (values) return `\n${name}: TypeAlias = ${valuesText(values, schema)}\n${description}`
  if (!schema.properties) return `\n${name}: TypeAlias = ${typeOf(schema, { name: quote })}\n${description}`
  if (Object.keys(schema.properties).every(isName)) return classText(name, schema)
  return `\n${name} = TypedDict(\n    ${quote(name)},\n    {\n${indent(functionalFields(schema), 8)}    },\n)\n${description}`
}

function valuesText(values, schema) {
  const literal =
    values.length === 1
      ? `Literal[${quote(values[0])}]`
      : `Literal[\n${values.map((value) => `    ${quote(value)},\n`).join('')}]`
  return schema['x-extensible-enum'] ? `Union[\n${indent(literal, 4)},\n    str,\n]` : literal
}

function classText(name, schema) {
  const fields = fieldsOf(schema).map(
    ({ field, type, description }) =>
      `    ${field}: ${type}\n${description ? docstring(description, 4) : ''}`,
  )
  const summary = docstring(schema.description ?? name, 4)
  return `\nclass ${name}(TypedDict):\n${summary}\n${fields.join('')}`
}

/** Fields whose names are keywords cannot be written as a class. */
function functionalFields(schema) {
  return fieldsOf(schema)
    .map(({ field, type }) => `${quote(field)}: ${quote(type).replaceAll('\\"', "'")},\n`)
    .join('')
}

function fieldsOf({ properties, required = [] }) {
  return Object.entries(properties).map(([field, schema]) => {
    const type = typeOf(schema, { name: (each) => each })
    return {
      field,
      type: required.includes(field) ? type : `NotRequired[${type}]`,
      description: schema.description,
    }
  })
}
