/** The page at /docs: Swagger UI from its own package, with every file from this origin, and the document it shows. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { OpenAPIObject } from '@nestjs/swagger'
import { dump } from 'js-yaml'

import type { RunningSettings } from '../config/settings.js'
import { buildOpenApi } from './openapi.js'
import type { ApiDescription } from './openapi.js'

// Swagger UI sets styles from its scripts.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Link Service API</title><link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>
`

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
})
`

const fromPackage = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

export function serveDocs(
  app: NestFastifyApplication,
  settings: RunningSettings,
  description: ApiDescription,
): void {
  const fastify = app.getHttpAdapter().getInstance()
  const config = { access: { kind: 'public' as const } }
  const serve = (path: string, type: string, body: string | Buffer, caching = 'no-cache') =>
    fastify.get(path, { config }, (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'content-security-policy': policy, 'cache-control': caching })
        .send(body),
    )
  serve('/docs', 'text/html; charset=utf-8', page)
  serve('/docs/start.js', 'text/javascript; charset=utf-8', start)
  const require = createRequire(import.meta.url)
  for (const [name, type] of Object.entries(fromPackage))
    serve(
      `/docs/${name}`,
      type,
      readFileSync(require.resolve(`swagger-ui-dist/${name}`)),
      'public, max-age=86400',
    )
  fastify.get('/', { config }, (_request, reply) => reply.redirect('/docs', 302))

  // The document is made at the first request, because with PORT=0 the address is known only then.
  let document: OpenAPIObject | null = null
  const describe = () => (document ??= buildOpenApi(app, settings, description))
  fastify.get('/openapi.json', { config }, (_request, reply) => reply.send(describe()))
  fastify.get('/openapi.yaml', { config }, (_request, reply) =>
    reply.type('text/yaml; charset=utf-8').send(dump(describe(), { noRefs: true })),
  )
}
