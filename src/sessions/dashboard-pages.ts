/** Serves the pages of the dashboard from memory. Paths of the dashboard's router get the index page. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../platform/http/problems/problem.js'
import type { Branding } from '../platform/http/branding.js'
import { acceptedEncoding, compress, isCompressible } from '../platform/http/served-file.js'
import type { Encoding } from '../platform/http/served-file.js'
import { defaultAccent } from '../platform/util/colors.js'
import { escapeHtml } from '../platform/util/plain-text.js'
import { publicProgramName } from '../platform/util/program.js'
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

/** What the service inserts into the index page. */
interface Insertions {
  /** Path of the API, because pages show the URL of the API. */
  apiPath: string
  branding: Branding
}

/** Reads all pages into memory. */
export async function readPages(folder: string, insertions: Insertions): Promise<Pages> {
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
      return [name, await createPage(name, name === 'index.html' ? insertInto(body, insertions) : body)]
    }),
  )
  return new Map(pages)
}

/** Replaces the values in dashboard/index.html that depend on settings. */
function insertInto(index: Buffer, { apiPath, branding: { name, accent, logo } }: Insertions): Buffer {
  const accents = accent === defaultAccent ? '' : `${accent.light} ${accent.dark}`
  const texts: [built: string, text: string][] = [
    ['<meta name="api-path" content="/api" />', `<meta name="api-path" content="${apiPath}" />`],
    [
      '<meta name="command" content="link-service" />',
      `<meta name="command" content="${escapeHtml(publicProgramName())}" />`,
    ],
    [
      '<meta name="instance-name" content="Link Service" />',
      `<meta name="instance-name" content="${escapeHtml(name)}" />`,
    ],
    ['<title>Link Service</title>', `<title>${escapeHtml(name)}</title>`],
    ['<meta name="accent" content="" />', `<meta name="accent" content="${accents}" />`],
  ]
  if (logo)
    texts.push([
      `<link rel="icon" href="${pagesPath}/icon.svg" />`,
      `<link rel="icon" href="${escapeHtml(logo.url)}" />`,
    ])
  // A function, because `$` is special in a replacement string.
  return Buffer.from(texts.reduce((html, [built, text]) => html.replace(built, () => text), index.toString()))
}

async function createPage(name: string, body: Buffer): Promise<PageFile> {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const isHashed = hashedName.test(name)
  if (body.length < minCompressedBytes || !isCompressible(type))
    return { type, isHashed, body, encoded: null }
  const [br, gzip] = await Promise.all([compress.br(body), compress.gzip(body)])
  return { type, isHashed, body, encoded: { br, gzip } }
}

const headers = {
  'content-security-policy': policyWith([]),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'Accept-Encoding',
}

/** Returns the content security policy, with additional sources of images. */
function policyWith(imageSources: readonly string[]): string {
  const images = ["'self'", 'data:', ...imageSources].join(' ')
  return `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${images}; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`
}

const cacheForAnHour = 'private, max-age=3600'
const cachePermanently = 'public, max-age=31536000, immutable'
/** Paths below /dashboard that are not pages. Existing endpoints have their own routes. */
const reservedPaths = /^(?:portal\/)?(?:api|session)(?:\/|$)/

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The dashboard is not built</title></head>
<body><h1>The dashboard is not built</h1>
<p>The folder <code>dist/dashboard</code> is missing. Run <code>npm run build</code> in the folder of the service, then restart the service.</p>
<p>The API works without the dashboard. To hide this page, set <code>DASHBOARD=off</code>.</p>
</body></html>
`

export function servePages(fastify: FastifyInstance, pages: Pages, { logo }: Branding): void {
  const config = { access: { kind: 'public' as const } }
  const index = pages.get('index.html')
  const hasRemoteLogo = logo?.url.startsWith('https:') === true
  const policy = policyWith(hasRemoteLogo ? [logo.source] : [])
  const sendIndex = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (index) return sendFile(request, reply, index, 'no-store', policy)
    return reply.code(503).headers(headers).header('content-type', 'text/html; charset=utf-8').send(notBuilt)
  }
  // The guard rejects an empty parameter, so the path with a trailing slash needs its own route.
  for (const path of [pagesPath, `${pagesPath}/`])
    fastify.get(path, { config }, (request, reply) => sendIndex(request, reply))
  fastify.get(`${pagesPath}/*`, { config }, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    if (reservedPaths.test(name)) throw new Problem('not_found')
    const file = pages.get(name)
    if (file && file !== index)
      return sendFile(request, reply, file, file.isHashed ? cachePermanently : cacheForAnHour)
    // A missing script must return 404, because the browser would run the index page as a script.
    if (name.startsWith('assets/')) throw new Problem('not_found')
    return sendIndex(request, reply)
  })
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
  caching: string,
  policy = headers['content-security-policy'],
): FastifyReply {
  const encoding = file.encoded && acceptedEncoding(request)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply
    .headers({
      ...headers,
      'content-security-policy': policy,
      'content-type': file.type,
      'cache-control': caching,
    })
    .send(encoding ? file.encoded![encoding] : file.body)
}
