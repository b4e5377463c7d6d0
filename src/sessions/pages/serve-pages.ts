/** The pages of the dashboard: files from memory, and the index for every address that its own router knows. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding } from '../../platform/http/served-file.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { pagesPath } from '../session-guard.js'
import type { PageFile, Pages } from './files.js'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'Accept-Encoding',
}
const hour = 'private, max-age=3600'
const forEver = 'public, max-age=31536000, immutable'
/** The paths of calls, which are not pages. Calls that exist have routes of their own. */
const isNoPage = /^(?:api|session)(?:\/|$)/

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The dashboard is not built</title></head>
<body><h1>The dashboard is not built</h1>
<p>Its pages are not in <code>dist/dashboard</code>. In the folder of the service, run <code>npm run build</code>, and start the service again.</p>
<p>The API works without it. <code>DASHBOARD=off</code> turns this page off.</p>
</body></html>
`

export function servePages(fastify: FastifyInstance, pages: Pages): void {
  const config = { access: { kind: 'public' as const } }
  const index = pages.get('index.html')
  // The guard refuses an empty parameter, so the address with a slash at its end is a route of its own.
  for (const path of [pagesPath, `${pagesPath}/`])
    fastify.get(path, { config }, (request, reply) => sendIndex(request, reply, index))
  fastify.get(`${pagesPath}/*`, { config }, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    if (isNoPage.test(name)) throw new Problem('not_found')
    const file = pages.get(name)
    if (file && file !== index) return send(request, reply, file, file.isHashed ? forEver : hour)
    // A missing script must not be answered with the index page, because the browser would run that.
    if (name.startsWith('assets/')) throw new Problem('not_found')
    return sendIndex(request, reply, index)
  })
}

function sendIndex(request: FastifyRequest, reply: FastifyReply, index: PageFile | undefined): FastifyReply {
  if (index) return send(request, reply, index, 'no-store')
  return reply.code(503).headers(headers).header('content-type', 'text/html; charset=utf-8').send(notBuilt)
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile, caching: string): FastifyReply {
  const encoding = file.encoded && acceptedEncoding(request)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply
    .headers({ ...headers, 'content-type': file.type, 'cache-control': caching })
    .send(encoding ? file.encoded![encoding] : file.body)
}
