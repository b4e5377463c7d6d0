/** The built pages, read once at the start: each file in memory, compressed where that pays. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { compress } from '../../platform/http/served-file.js'
import type { Encoding } from '../../platform/http/served-file.js'

/** Where the build of `dashboard` puts the pages. The relative path is right from `src` and from `dist`. */
export const pagesFolder = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url))

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
const compressed = /^(?:text\/|application\/json|image\/svg)/
const leastBytes = 1_024
const hashedName = /^assets\/.+-[A-Za-z0-9_-]{8,}\.\w+$/

export interface PageFile {
  type: string
  body: Buffer
  /** Null if compressing does not pay. */
  encoded: Readonly<Record<Encoding, Buffer>> | null
  /** The name of the file contains a hash of its content, so browsers may keep it for ever. */
  isHashed: boolean
}

/** The files by their path inside the folder. Empty if nothing was built. */
export type Pages = ReadonlyMap<string, PageFile>

/** Writes `apiPath` into the index, because the pages show where programs call the API. */
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
      return [name, await pageOf(name, name === 'index.html' ? withApiPath(body, apiPath) : body)]
    }),
  )
  return new Map(pages)
}

const builtApiPath = '<meta name="api-path" content="/api" />'

/** A base path has no character that HTML would have to escape. */
function withApiPath(index: Buffer, apiPath: string): Buffer {
  return Buffer.from(index.toString().replace(builtApiPath, builtApiPath.replace('/api"', `${apiPath}"`)))
}

async function pageOf(name: string, body: Buffer): Promise<PageFile> {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const isHashed = hashedName.test(name)
  if (body.length < leastBytes || !compressed.test(type)) return { type, isHashed, body, encoded: null }
  const [br, gzip] = await Promise.all([compress.br(body), compress.gzip(body)])
  return { type, isHashed, body, encoded: { br, gzip } }
}
