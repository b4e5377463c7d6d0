/** Returns the reference pages that are generated: docs/errors.md, events.md, logs.md and metrics.md. */
import { catalog, eventTypes } from '../../events/catalog.js'
import type { EventType } from '../../events/catalog.js'
import { requestHeaders } from '../../events/event-document.js'
import { exampleEvent } from '../../events/payloads.js'
import { fieldErrors } from '../../field-errors.js'
import { exampleProblem } from '../../platform/http/openapi/openapi-problems.js'
import { logFields } from '../../platform/util/log-fields.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'
import { metricPrefix, metrics } from '../health/metrics/metric-declarations.js'
import type { MetricDeclaration, Reporter } from '../health/metrics/metric-declarations.js'

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

export function logsPage(): string {
  return joinBlocks([
    '# Log fields',
    'The service logs to standard error, one JSON object per line, or readable lines in a terminal. `LOG_LEVEL` sets the lowest level that is logged.',
    table(
      ['level', 'lines'],
      [
        ['`error`', 'requests that failed with 5xx, with `code` and `stack`; other failures'],
        ['`warn`', 'faults that the service works around, such as a lost connection'],
        [
          '`info`',
          'starts and stops; requests that failed with 4xx; for 401, 403 and 429, the first in each second, then the number of the others',
        ],
        ['`debug`', 'every request and redirect'],
      ],
    ),
    'Find the line of a response by its `X-Request-Id`:',
    '```sh\njq -c \'select(.request_id == "ID")\' service.log\n```',
    'Every line has the first five fields. Other fields appear only where they apply. Lines contain no bodies, queries, headers or secrets. New versions can add fields.',
    table(
      ['Field', 'Type', 'Description'],
      Object.entries(logFields).map(([name, { type, description }]) => [`\`${name}\``, type, description]),
    ),
    generated,
  ])
}

const sections: Readonly<Record<Reporter, { title: string; text: string }>> = {
  every: { title: 'Every process', text: 'Reported by API processes and workers.' },
  api: { title: 'API processes', text: 'Reported by processes with `ROLE=api` or `ROLE=all`.' },
  backup: { title: 'Scheduled backups', text: 'Reported by API processes with `BACKUP_DIR`.' },
  dashboard: { title: 'Dashboard', text: 'Reported by API processes unless `DASHBOARD=off`.' },
  worker: { title: 'Workers', text: 'Reported by processes with `ROLE=worker` or `ROLE=all`.' },
  proxy: { title: 'Egress proxy', text: 'Reported by workers with `WEBHOOK_PROXY`.' },
}

export function metricsPage(): string {
  const declared: [string, MetricDeclaration][] = Object.entries(metrics)
  const metricsOf = (reporter: string) =>
    declared
      .filter(([, { from }]) => from === reporter)
      .map(([name, metric]) => [`\`${metricPrefix}${name}\``, formatMetricType(metric), describe(metric)])
  return joinBlocks([
    '# Metrics',
    '`GET /metrics` responds with these metrics in the Prometheus text format. [Monitor the service](monitoring.md) describes how to collect them.',
    'Counters and histograms start at 0 when a process starts. A gauge for the **whole instance** has the same value in every process: use `max()`, not `sum()`. It is absent while its source, the database or the queue, does not respond, so alert on `link_service_database_up` and `link_service_queue_up` too.',
    ...Object.entries(sections).flatMap(([reporter, { title, text }]) => [
      `## ${title}`,
      text,
      table(['Metric', 'Type', 'Description'], metricsOf(reporter)),
    ]),
    '## Node.js and the process',
    'Every process also reports the default metrics of prom-client, such as `process_resident_memory_bytes`, `process_cpu_seconds_total`, and `nodejs_eventloop_lag_p99_seconds`, the delay of the event loop since the last scrape.',
    generated,
  ])
}

function formatMetricType({ type, labels = [] }: MetricDeclaration): string {
  return labels.length === 0 ? type : `${type} by ${labels.map((label) => `\`${label}\``).join(', ')}`
}

function describe({ help, scope }: MetricDeclaration): string {
  return scope === 'instance' ? `${help} Whole instance.` : help
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
