/** Serves the pages of the dashboard from memory. Paths of the dashboard's router get the index page. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../platform/http/problems/problem.js'
import { acceptedEncoding, compress } from '../platform/http/served-file.js'
import type { Encoding } from '../platform/http/served-file.js'
import { programName } from '../platform/util/program.js'
import { pagesPath } from './session-guard.js'

/** The build output of the dashboard. The relative path is the same from `src` and from `dist`. */
export const pagesFolder = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const compressibleTypes = /^(?:text\/|application\/json|image\/svg)/
const minCompressedBytes = 1_024
const hashedName = /^assets\/.+-[A-Za-z0-9_-]{8,}\.\w+$/

interface PageFile {
  type: string
  body: Buffer
  /** Null if the file is small or not compressible. */
  encoded: Readonly<Record<Encoding, Buffer>> | null
  /** Whether the file name contains a hash of the content, so that browsers can cache the file permanently. */
  isHashed: boolean
}

/** The files by their path in the folder. Empty if the dashboard was not built. */
export type Pages = ReadonlyMap<string, PageFile>

/** Reads all pages into memory. Inserts `apiPath` and the command into the index page, because pages show both. */
export async function readPages(folder: string, apiPath: string): Promise<Pages> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const pages = await Promise.all(
    files.map(async (file): Promise<[string, PageFile]> => {
      const name = relative(folder, file).split(sep).join('/')
      const body = await readFile(file)
      return [name, await createPage(name, name === 'index.html' ? withMeta(body, apiPath) : body)]
    }),
  )
  return new Map(pages)
}

const builtApiPath = '<meta name="api-path" content="/api" />'

const builtCommand = '<meta name="command" content="link-service" />'

/** A base path contains no characters that must be escaped in HTML. */
function withMeta(index: Buffer, apiPath: string): Buffer {
  const command = programName().replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return Buffer.from(
    index
      .toString()
      .replace(builtApiPath, () => builtApiPath.replace('/api"', `${apiPath}"`))
      .replace(builtCommand, () => builtCommand.replace('"link-service"', () => `"${command}"`)),
  )
}

async function createPage(name: string, body: Buffer): Promise<PageFile> {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const isHashed = hashedName.test(name)
  if (body.length < minCompressedBytes || !compressibleTypes.test(type))
    return { type, isHashed, body, encoded: null }
  const [br, gzip] = await Promise.all([compress.br(body), compress.gzip(body)])
  return { type, isHashed, body, encoded: { br, gzip } }
}

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'Accept-Encoding',
}
const cacheForAnHour = 'private, max-age=3600'
const cachePermanently = 'public, max-age=31536000, immutable'
/** Paths below /dashboard that are not pages. Existing endpoints have their own routes. */
const reservedPaths = /^(?:api|session)(?:\/|$)/

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The dashboard is not built</title></head>
<body><h1>The dashboard is not built</h1>
<p>The folder <code>dist/dashboard</code> is missing. Run <code>npm run build</code> in the folder of the service, then restart the service.</p>
<p>The API works without the dashboard. To hide this page, set <code>DASHBOARD=off</code>.</p>
</body></html>
`

export function servePages(fastify: FastifyInstance, pages: Pages): void {
  const config = { access: { kind: 'public' as const } }
  const index = pages.get('index.html')
  // The guard rejects an empty parameter, so the path with a trailing slash needs its own route.
  for (const path of [pagesPath, `${pagesPath}/`])
    fastify.get(path, { config }, (request, reply) => sendIndex(request, reply, index))
  fastify.get(`${pagesPath}/*`, { config }, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    if (reservedPaths.test(name)) throw new Problem('not_found')
    const file = pages.get(name)
    if (file && file !== index)
      return sendFile(request, reply, file, file.isHashed ? cachePermanently : cacheForAnHour)
    // A missing script must return 404, because the browser would run the index page as a script.
    if (name.startsWith('assets/')) throw new Problem('not_found')
    return sendIndex(request, reply, index)
  })
}

function sendIndex(request: FastifyRequest, reply: FastifyReply, index: PageFile | undefined): FastifyReply {
  if (index) return sendFile(request, reply, index, 'no-store')
  return reply.code(503).headers(headers).header('content-type', 'text/html; charset=utf-8').send(notBuilt)
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
  caching: string,
): FastifyReply {
  const encoding = file.encoded && acceptedEncoding(request)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply
    .headers({ ...headers, 'content-type': file.type, 'cache-control': caching })
    .send(encoding ? file.encoded![encoding] : file.body)
}
