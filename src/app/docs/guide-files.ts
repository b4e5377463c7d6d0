/** The types and policies of the files of the documentation site. */
import { createHash } from 'node:crypto'
import { extname } from 'node:path'

import { EncodedFile } from '../../platform/http/served-file.js'

export const guidePath = '/docs/guide'

/** A file to serve, with its headers. */
export interface GuideFile {
  content: EncodedFile
  type: string
  headers: Record<string, string>
  isImmutable: boolean
}

/** The files of the guide by name. The name of the start page is empty, and names of folders end with a slash. */
export interface GuideFiles {
  /** Returns null if there is no such file. */
  read(name: string): Promise<GuideFile | null>
  /** Returns the page for unknown names. */
  readNotFound(): Promise<GuideFile>
  /** Returns the full name for a name without an extension, or null. */
  completeName(name: string): string | null
}

const textType = 'text/plain; charset=utf-8'
const htmlType = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.html': htmlType,
  '.md': 'text/markdown; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** Creates the file with this name. The policy of a page allows exactly its own inline scripts and styles. */
export function createGuideFile(name: string, body: Buffer): GuideFile {
  const type = name === '' || name.endsWith('/') ? htmlType : (types[extname(name)] ?? textType)
  const isHashed = /^assets\/.+\.[\w-]{8}\.(?:lean\.)?\w+$/.test(name)
  return {
    content: new EncodedFile(body),
    type,
    headers: type === htmlType ? { 'content-security-policy': createPolicy(body.toString()) } : {},
    isImmutable: isHashed,
  }
}

function createPolicy(html: string): string {
  const scripts = getElementHashes(html, /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)
  const styles = getElementHashes(html, /<style[^>]*>([^]*?)<\/style>/g)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:; font-src 'self'; connect-src 'self'",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ')
}

function getElementHashes(html: string, element: RegExp): string[] {
  const hashes = [...html.matchAll(element)].map(
    ([, content]) => `'sha256-${createHash('sha256').update(content!).digest('base64')}'`,
  )
  return [...new Set(hashes)]
}
