/** The methods of the Python client, one for each operation, sync or async. */
import { docstring, indent, origin, parameterName, quote, typeOf } from './text.js'

/** The additional methods of some operations, with their kinds. `kindOf` returns the kind of the main method. */
const furtherMethods = {
  listClicks: [['follow', 'follow']],
  listEvents: [
    ['read', 'call'],
    ['follow', 'follow'],
  ],
  getAnalytics: [['csv', 'csv']],
  getLinkAnalytics: [['analytics_csv', 'csv']],
  explainEvent: [['explain_for', 'call']],
}
const typeName = (name) => `types.${name}`

export function methodsText(operations, { isAsync }) {
  const groups = Map.groupBy
    ? Map.groupBy(operations, ({ group }) => group)
    : operations.reduce((map, each) => map.set(each.group, [...(map.get(each.group) ?? []), each]), new Map())
  const classes = [...groups].map(([group, members]) => {
    const name = group.replace(/(?:^|_)(\w)/g, (_all, letter) => letter.toUpperCase())
    const methods = members.flatMap((operation) => [
      methodText(operation, operation.method, kindOf(operation), isAsync),
      ...(furtherMethods[operation.id] ?? []).map(([method, kind]) =>
        methodText(operation, method, kind, isAsync),
      ),
    ])
    return `class ${name}Methods:\n    def __init__(self, api: ${isAsync ? 'AsyncTransport' : 'Transport'}) -> None:\n        self._api = api\n\n${methods.join('\n')}`
  })
  const [prefix, module] = isAsync ? ['Async', '_async'] : ['', '_sync']
  return `${origin}
"""The methods of the ${isAsync ? 'async ' : ''}client."""

from __future__ import annotations

from collections.abc import ${prefix}Iterator, Sequence
from datetime import datetime
from typing import IO, Literal

from .. import ${module} as transport
from .._feed import FollowedRow
from .._lists import ${prefix}Download, ${prefix}PagedList
from .._request import UNSET, Options, Unset, given_body, upload_of, upload_type
from . import operations, types

${prefix}Transport = transport.${prefix}Transport


${classes.join('\n\n')}`
}

function kindOf({ isList, item, result, fileTypes, uploadTypes }) {
  if (uploadTypes.length > 0) return 'upload'
  if (item && isList) return 'list'
  if (result || fileTypes.length === 0) return 'call'
  if (fileTypes.includes('text/event-stream')) return 'live'
  return fileTypes.some((type) => type.startsWith('image/')) ? 'file' : 'download'
}

/** Query parameters that a method sets itself. */
const ownQuery = {
  list: ['cursor', 'after', 'webhook_id'],
  follow: ['cursor', 'after', 'limit'],
}

function methodText(operation, method, kind, isAsync) {
  const isLazy = ['list', 'follow', 'live'].includes(kind)
  const isFeed = method === 'read'
  const explainsOne = method === 'explain_for'
  const omitted = [
    ...(operation.id === 'explainEvent' || kind === 'follow' ? (ownQuery[kind] ?? ['limit', 'cursor']) : []),
    ...(kind === 'list' ? ['cursor', ...(operation.id === 'explainEvent' ? [] : ['after'])] : []),
    ...(isFeed ? ['cursor'] : []),
  ]
  const query = operation.query
    .filter(({ name }) => !omitted.includes(name))
    .map((each) => ({ ...each, required: each.required || (explainsOne && each.name === 'webhook_id') }))
  const parameters = parametersOf(operation, query, kind)
  const signature = parameters.map(({ text }) => `        ${text},\n`).join('')
  const start = isAsync && !isLazy ? 'async def' : 'def'
  return `    ${start} ${method}(\n        self,\n${signature}    ) -> ${returnType(operation, kind, isAsync)}:\n${docstring(documentation(operation, kind, parameters), 8)}${indent(bodyText(operation, query, kind, isAsync), 8)}`
}

function parametersOf({ body, pathParameters, hasKey, hasVersion, fileTypes, uploadTypes }, query, kind) {
  const describe = ({ name, description }, text) => ({ name: parameterName(name), description, text })
  const pathNames = pathParameters.map(({ name }) => name)
  const fields = (body?.fields ?? []).filter(({ name }) => !pathNames.includes(name))
  const positional = [...pathParameters, ...query.filter(({ required }) => required)]
  const mediaTypes = (types) => `Literal[${types.map(quote).join(', ')}]`
  const keywords = [
    ...fields.map((field) => {
      const type = typeOf(field.schema, { name: typeName, isParameter: true })
      const name = parameterName(field.name)
      return describe(field, field.isRequired ? `${name}: ${type}` : `${name}: ${type} | Unset = UNSET`)
    }),
    ...query
      .filter(({ required }) => !required)
      .map((each) => describe(each, `${parameterName(each.name)}: ${queryType(each.schema)} | None = None`)),
    ...(kind === 'follow' ? [{ text: 'after: str = ""' }, { text: 'poll_interval: float = 5.0' }] : []),
    ...(kind === 'live' ? [{ text: 'after: str | None = None' }, { text: 'silence: float = 45.0' }] : []),
    ...(needsMediaType({ query, fileTypes }, kind)
      ? [{ text: `media_type: ${mediaTypes(fileTypes)} = "application/x-ndjson"` }]
      : []),
    ...(kind === 'upload' ? [{ text: `media_type: ${mediaTypes(uploadTypes)} | None = None` }] : []),
    ...(hasKey ? [{ text: 'idempotency_key: str | None = None' }] : []),
    ...(hasVersion ? [{ text: 'if_match: str | None = None' }] : []),
    ...(kind === 'live' ? [] : [{ text: 'timeout: float | None = None' }]),
    { text: 'max_retries: float | None = None' },
  ]
  const isRequired = ({ text }) => !text.includes(' = ')
  return [
    ...positional.map((each) => describe(each, `${parameterName(each.name)}: ${queryType(each.schema)}`)),
    ...(kind === 'upload' ? [{ text: 'file: str | bytes | IO[bytes]' }] : []),
    { text: '*' },
    ...keywords.filter(isRequired),
    ...keywords.filter((each) => !isRequired(each)),
  ]
}

const needsMediaType = ({ query, fileTypes }, kind) =>
  kind === 'download' && fileTypes.length > 1 && !query.some(({ name }) => name === 'format')

function queryType(schema) {
  if (schema.type !== 'array') return typeOf(schema, { name: typeName, isParameter: true })
  const item = typeOf(schema.items, { name: typeName, isParameter: true })
  return `${item} | Sequence[${item}]`
}

function returnType({ item, result, id }, kind, isAsync) {
  const prefix = isAsync ? 'Async' : ''
  switch (kind) {
    case 'list':
      return `${prefix}PagedList[types.${item}]`
    case 'follow':
      return `${prefix}Iterator[FollowedRow[types.${item}]]`
    case 'live':
      return `${prefix}Iterator[FollowedRow[types.Click]]`
    case 'file':
      return 'bytes'
    case 'csv':
    case 'download':
      return `${prefix}Download`
    default:
      if (result === null) return 'None'
      return `types.${id === 'explainEvent' ? 'Explanation' : result}`
  }
}

const kindNotes = {
  csv: 'Returns the result as a CSV file.',
  follow:
    'Yields all items, oldest first, then waits for new ones. Store the `cursor` of each handled item, and pass it as `after` to continue without gaps. An empty `after` starts with the oldest item, `latest` with new items. After the first page, temporary failures are retried forever. `poll_interval` is the maximum delay between polls in seconds.',
  live: 'Reconnects when the stream breaks, or after `silence` seconds without data. `after` is the cursor of the last handled item; by default, the stream starts with new clicks. The cursors also work with `follow`.',
  upload:
    '`file` is a string, bytes, or a file that is open in binary mode. A file is retried only if it can seek. `media_type` defaults to NDJSON if `format` is `ndjson`, and to CSV otherwise.',
}

function documentation({ summary, description }, kind, parameters) {
  const described = parameters.filter((each) => each.description)
  const args = described.map(
    ({ name, description: text }) => `    ${name}: ${text.replaceAll(/\s*\n+\s*/g, ' ')}`,
  )
  return [
    `${summary}.`,
    description,
    ...(kindNotes[kind] ? [kindNotes[kind]] : []),
    ...(args.length > 0 ? [`Args:\n${args.join('\n')}`] : []),
  ].join('\n\n')
}

function bodyText(operation, query, kind, isAsync) {
  const { constant, pathParameters, body, hasKey, hasVersion, result, fileTypes } = operation
  const wait = isAsync ? 'await ' : ''
  const dictionary = (names) =>
    names.length === 0
      ? '{}'
      : `{\n${names.map((name) => `        ${quote(name)}: ${parameterName(name)},\n`).join('')}    }`
  const hasMediaType = needsMediaType({ query, fileTypes }, kind)
  const types =
    kind === 'csv' ? '["text/csv"]' : hasMediaType ? '[media_type]' : `[${fileTypes.map(quote).join(', ')}]`
  const options = [
    ...(kind === 'live' ? [] : ['timeout']),
    'max_retries',
    ...(hasKey ? ['idempotency_key'] : []),
    ...(hasVersion ? ['if_match'] : []),
  ]
  const path = pathParameters.map(({ name }) => parameterName(name)).join(', ')
  const pathNames = pathParameters.map(({ name }) => name)
  const filled =
    body && dictionary(body.fields.map(({ name }) => name).filter((name) => !pathNames.includes(name)))
  const parts = [
    ...(kind === 'live' ? [] : [`operations.${constant}`]),
    ...(pathParameters.length > 0 ? [`path=[${path}]`] : []),
    ...(query.length > 0 || ['list', 'follow', 'live'].includes(kind)
      ? [`query=${dictionary(query.map(({ name }) => name))}`]
      : []),
    ...(body
      ? [
          `body=${body.isRequired ? filled : `given_body(${filled.replaceAll('\n', '\n    ').replace(/^\{/, '\n        {')},\n    )`}`,
        ]
      : []),
    ...(kind === 'upload'
      ? ['body=upload_of(file)', 'headers={"content-type": upload_type(media_type, format)}']
      : []),
    ...(['file', 'csv', 'download'].includes(kind) ? [`media_types=${types}`] : []),
    ...(kind === 'follow' ? ['after=after', 'poll_interval=poll_interval'] : []),
    ...(kind === 'live' ? ['after=after', 'silence=silence'] : []),
    `options=Options(\n${options.map((name) => `        ${name}=${name},\n`).join('')}    )`,
  ]
  const method = { call: 'call', upload: 'call', csv: 'download' }[kind] ?? kind
  const isLazy = ['list', 'follow', 'live'].includes(kind)
  const call = `${isLazy ? '' : wait}self._api.${method}(\n${parts.map((part) => `    ${part},\n`).join('')})`
  if (method !== 'call') return `return ${call}\n`
  if (result === null) return `${call}\n`
  return `result: ${returnType(operation, kind, isAsync)} = ${call}\nreturn result\n`
}
