/** Returns the reference pages that are generated: docs/errors.md and docs/events.md. */
import { catalog, eventTypes } from '../../events/catalog.js'
import type { EventType } from '../../events/catalog.js'
import { requestHeaders } from '../../events/event-document.js'
import { exampleEvent } from '../../events/payloads.js'
import { fieldErrors } from '../../field-errors.js'
import { exampleProblem } from '../../platform/http/openapi/openapi-problems.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'

const generated = 'This page is generated: `node dist/main.js reference`.'

export function eventsPage(): string {
  return joinBlocks([
    '# Events',
    'The service records an event for each change, and for each click that a webhook wants. It sends the event to the webhooks that subscribe to its type and whose [filter](webhook-deliveries.md#filter-events) it passes. `*` subscribes a webhook to all types, including future ones. [Receive webhooks](receiving-webhooks.md) describes how to handle the requests, and [openapi.json](../openapi.json) has the schema of every type.',
    'An event has an `id`, a `type`, a `timestamp` and `data`, whose fields depend on the type. New types and new fields may be added.',
    '## Request headers',
    'Each request to a receiver has these headers:',
    table(
      ['Header', 'Description'],
      requestHeaders.map(({ name, description }) => [`\`${name}\``, description]),
    ),
    ...eventTypes.flatMap(eventSection),
    generated,
  ])
}

function eventSection(type: EventType): string[] {
  return [`## ${type}`, catalog[type].meaning, json(exampleEvent(type))]
}

export function errorsPage(): string {
  const codes = Object.keys(problems) as ProblemCode[]
  return joinBlocks([
    '# Errors',
    'Error responses are JSON documents in the format of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457), with the content type `application/problem+json`. `code` is stable: use it in programs. `title` and `detail` are for people and may change. `instance` is the ID of the request, which the service log contains too. `type` is the URL of a page that explains the error. New codes may be added.',
    '## Codes by status',
    table(
      ['Status', 'Code', 'Title'],
      [...codes]
        .sort((a, b) => problems[a].status - problems[b].status)
        .map((code) => [String(problems[code].status), `[${code}](#${code})`, problems[code].title]),
    ),
    ...codes.flatMap(problemSection),
    '## Codes of invalid fields',
    'The responses [validation_failed](#validation_failed), [invalid_query](#invalid_query) and [invalid_header](#invalid_header) list each invalid field, parameter or header in `errors`. `pointer`, `parameter` or `header` names it, `code` is one of these codes, and `detail` says how to fix the value.',
    table(
      ['Code', 'Meaning'],
      Object.entries(fieldErrors).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    generated,
  ])
}

function problemSection(code: ProblemCode): string[] {
  const { status, title, cause, remedy, errors, members = {} } = problems[code]
  const hasOwnMembers = errors !== undefined || Object.keys(members).length > 0
  return [
    `## ${code}`,
    `${status}. ${title}.`,
    `- **Cause:** ${cause}\n- **Remedy:** ${remedy}`,
    ...(hasOwnMembers ? [json(exampleProblem(code).toBody('http://localhost:3000', 'k3Jv0Qf2aLx91'))] : []),
  ]
}

function table(header: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}
