/** Sends the error responses of short links: a page for browsers, problem+json for other clients. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { awaySeconds, policyOfData, Problem } from '../../platform/http/problems/problem.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'

export type RedirectErrorCode = Extract<ProblemCode, 'not_found' | 'gone' | 'unavailable'>

const style = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.6 system-ui,sans-serif;color:#1c1e21;background:#f6f7f8}
main{max-width:30rem;padding:2rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:600}
p{margin:0;color:#50565d}
@media (prefers-color-scheme:dark){body{color:#eceef0;background:#16181b}p{color:#a4abb3}}
`

export const contentSecurityPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * Static pages without data from the request, so that nothing needs escaping. The content security policy allows only
 * their inline style.
 */
const pages: Readonly<Record<RedirectErrorCode, Buffer>> = {
  not_found: page(
    'This link does not exist',
    'Check the spelling of the link. Short links are case-sensitive.',
  ),
  gone: page('This link is no longer active', 'The link was disabled or deleted, or has expired.'),
  unavailable: page('This link cannot be opened right now', 'Try again in a few seconds.'),
}

function page(heading: string, text: string): Buffer {
  return Buffer.from(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${text}</p>
</main>
</body>
</html>
`,
  )
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  code: RedirectErrorCode,
  requestId: string,
  publicUrl: string,
): void {
  const isBrowser = request.headers.accept?.toLowerCase().includes('text/html') === true
  const body = isBrowser
    ? pages[code]
    : Buffer.from(JSON.stringify(new Problem(code).toBody(publicUrl, requestId)))
  const headers = [
    'Content-Type',
    isBrowser ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept',
    'X-Robots-Tag',
    'noindex',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    isBrowser ? contentSecurityPolicy : policyOfData,
    'Referrer-Policy',
    'no-referrer',
    'X-Request-Id',
    requestId,
  ]
  if (code === 'unavailable') headers.push('Retry-After', awaySeconds)
  response.writeHead(problems[code].status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}
