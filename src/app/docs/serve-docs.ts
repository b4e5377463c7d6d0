/** Serves the OpenAPI document, and /docs with an introduction and Swagger UI. Loads nothing from other hosts. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { OpenAPIObject } from '@nestjs/swagger'
import type { FastifyInstance } from 'fastify'
import { dump } from 'js-yaml'

import type { RunningSettings } from '../../settings.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { EncodedFile, hashContent, sendEncodedFile, serveFile } from '../../platform/http/served-file.js'
import { version } from '../../platform/util/program.js'
import { createOpenApiDocument } from './openapi-document.js'
import { docsPage } from './docs-page.js'
import { splitByTag } from './openapi-by-tag.js'
import { httpFile } from './requests/http-file.js'
import { postmanCollection } from './requests/postman-collection.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const script = 'text/javascript; charset=utf-8'
const css = 'text/css; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

/** Browser files, which need no build. The relative path is the same from `src` and from `dist`. */
const pageFolder = new URL('../../../src/app/docs/page/', import.meta.url)

export function serveDocs(app: NestFastifyApplication, settings: RunningSettings): void {
  const fastify = app.getHttpAdapter().getInstance()
  const headers = { 'content-security-policy': policy }
  /** Serves an asset at a path that contains the hash of its content, so that browsers can cache it permanently. */
  const asset = (name: string, type: string, content: string | Buffer): string => {
    const path = `/docs/${name.replace('.', `.${hashContent(content)}.`)}`
    serveFile(fastify, { path, type, read: () => content, headers, isImmutable: true })
    return path
  }
  const files = {
    // In a layer, so that docs.css overrides rules of any specificity.
    swaggerStyle: asset('swagger-ui.css', css, `@layer swagger{${fromPackage('swagger-ui.css').toString()}}`),
    swagger: asset('swagger-ui-bundle.js', script, fromPackage('swagger-ui-bundle.js')),
    icon: asset('favicon-32x32.png', 'image/png', fromPackage('favicon-32x32.png')),
    style: asset('docs.css', css, pageFile('docs.css')),
    theme: asset('theme.js', script, pageFile('theme.js')),
    script: asset('docs.js', script, pageFile('docs.js')),
  }
  serveFile(fastify, {
    path: '/docs',
    type: 'text/html; charset=utf-8',
    read: () =>
      docsPage(files, {
        api: settings.publicUrl + settings.basePath,
        version,
        hasDashboard: settings.dashboard === 'on',
      }),
    headers,
  })
  for (const path of ['/', '/docs/'])
    fastify.get(path, { config: { access: { kind: 'public' } } }, (_request, reply) =>
      reply.redirect('/docs', 302),
    )

  // Created at the first request, because with PORT=0 the URL is not known earlier.
  let document: OpenAPIObject | null = null
  const openApi = () => (document ??= createOpenApiDocument(app, settings))
  serveFile(fastify, {
    path: '/openapi.json',
    type: jsonType,
    read: () => JSON.stringify(openApi()),
  })
  serveFile(fastify, {
    path: '/openapi.yaml',
    type: 'application/yaml',
    read: () => dump(openApi(), { noRefs: true }),
  })
  serveDerivedFiles(fastify, openApi)
}

interface DocumentFile {
  type: string
  file: EncodedFile
}

/** Serves what is derived from the document: its parts, such as /openapi/links.json, and the requests for API tools. */
function serveDerivedFiles(fastify: FastifyInstance, openApi: () => OpenAPIObject): void {
  let files: Map<string, DocumentFile> | null = null
  const config = { access: { kind: 'public' as const } }
  fastify.get('/openapi/:file', { config }, (request, reply) => {
    files ??= deriveFiles(openApi())
    const { file: name } = request.params as { file: string }
    const found = files.get(name)
    if (found) return sendEncodedFile(request, reply, found.file, found)
    throw new Problem('not_found', {
      detail: `The file ${name} does not exist. Available files: ${[...files.keys()].join(', ')}.`,
    })
  })
}

function deriveFiles(document: OpenAPIObject): Map<string, DocumentFile> {
  const encode = (text: string) => new EncodedFile(Buffer.from(text))
  const encodeJson = (value: object): DocumentFile => ({
    type: jsonType,
    file: encode(JSON.stringify(value)),
  })
  return new Map([
    ...[...splitByTag(document)].map(([name, part]) => [name, encodeJson(part)] as const),
    ['postman.json', encodeJson(postmanCollection(document))],
    ['requests.http', { type: 'text/plain; charset=utf-8', file: encode(httpFile(document)) }],
  ])
}

function pageFile(name: string): Buffer {
  return readFileSync(new URL(name, pageFolder))
}

function fromPackage(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
}
