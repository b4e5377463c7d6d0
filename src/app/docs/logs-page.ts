/** Returns docs/logs.md, from the declarations of the fields. */
import { logFields } from '../../platform/util/log-fields.js'

export function logsPage(): string {
  const rows = Object.entries(logFields).map(
    ([name, { type, description }]) => `| \`${name}\` | ${type} | ${description} |`,
  )
  return [
    '# Log fields',
    'The service logs to standard error, one JSON object per line, or readable lines in a terminal. `LOG_LEVEL` sets the lowest level that is logged.',
    [
      '| level | lines |',
      '|---|---|',
      '| `error` | requests that failed with 5xx, with `code` and `stack`; other failures |',
      '| `warn` | faults that the service works around, such as a lost connection |',
      '| `info` | starts and stops; requests that failed with 4xx; for 401, 403 and 429, the first in each second, then the number of the others |',
      '| `debug` | every request and redirect |',
    ].join('\n'),
    'Find the line of a response by its `X-Request-Id`:',
    ['```sh', 'jq -c \'select(.request_id == "ID")\' service.log', '```'].join('\n'),
    'Every line has the first five fields. Other fields appear only where they apply. Lines contain no bodies, queries, headers or secrets. New versions can add fields.',
    ['| Field | Type | Description |', '|---|---|---|', ...rows].join('\n'),
    'This page is generated: `node dist/main.js reference`.',
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}
