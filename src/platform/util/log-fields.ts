/** Declares every field of log lines, in the order of the page docs/logs.md. */

interface LogField {
  type: 'string' | 'number'
  description: string
}

const declared = {
  time: { type: 'string', description: 'Time of the line in UTC, with milliseconds.' },
  level: { type: 'string', description: '`debug`, `info`, `warn`, `error` or `fatal`.' },
  instance: {
    type: 'string',
    description: 'Host name and process ID, such as `api-1:42`.',
  },
  version: { type: 'string', description: 'Version of the service.' },
  msg: {
    type: 'string',
    description: '`request` for a request, `redirect` for a short link, or a message.',
  },
  context: { type: 'string', description: 'Part of the service that wrote the line.' },
  request_id: {
    type: 'string',
    description: 'ID of the request, and the `X-Request-Id` of its response.',
  },
  method: { type: 'string', description: 'HTTP method.' },
  route: {
    type: 'string',
    description: 'Pattern of the path, such as `/api/v1/links/:id`. Null if no route matches.',
  },
  slug: { type: 'string', description: 'Slug of a redirect. Null if it has no active link.' },
  status: { type: 'number', description: 'Status of the response.' },
  ms: { type: 'number', description: 'Milliseconds from the request to the end of the response.' },
  client_ip: {
    type: 'string',
    description:
      'IP address of the client, shortened according to `CLICK_IP`: the network by default, null with `none`.',
  },
  token_id: { type: 'string', description: 'ID of the token. Null for a request without one.' },
  code: { type: 'string', description: 'Problem code of a request that failed with 5xx.' },
  stack: { type: 'string', description: 'Error with its stack, as one string.' },
  trace_id: { type: 'string', description: 'ID of the trace, if [traces](tracing.md) are on.' },
  span_id: { type: 'string', description: 'ID of the span, if traces are on.' },
  count: { type: 'number', description: 'Number of rejected requests without their own line.' },
  port: { type: 'number', description: 'Port of a started process.' },
  role: { type: 'string', description: 'Role of a started process.' },
  origin: { type: 'string', description: 'Whether a fatal error was an exception or a rejected promise.' },
} satisfies Record<string, LogField>

export type LogFieldName = keyof typeof declared
export const logFields: Readonly<Record<LogFieldName, LogField>> = declared
