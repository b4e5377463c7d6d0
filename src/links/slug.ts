import { randomInt } from 'node:crypto'

import { encodeId } from '../platform/database/ids.js'

// No 0 and O, 1, l and I: a slug may be read from a poster.
const alphabet = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const generatedLength = 7

export function makeSlug(): string {
  return Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

export const slugPattern = '^[A-Za-z0-9_-]{1,64}$'
const slugRegExp = new RegExp(slugPattern)

export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && slugRegExp.test(value)
}

/** The first path segments of the service itself, under any base path, and those that crawlers and browsers ask for. */
export function reservedSlugs(basePath: string): ReadonlySet<string> {
  const first = basePath.split('/')[1]
  return new Set([
    'api',
    'dashboard',
    'docs',
    'openapi',
    'errors',
    'healthz',
    'readyz',
    'metrics',
    'v1',
    ...(first ? [first] : []),
  ])
}

export function isShortLinkPath(path: string, reserved: ReadonlySet<string>): boolean {
  const slug = path.slice(1)
  return isSlug(slug) && !reserved.has(slug)
}

export function slugOfOther(slug: string): string {
  return `The slug ${slug} is taken, or was once and is not given out again. Choose another.`
}

export function slugOfOwn(slug: string, linkId: string): string {
  return `The slug ${slug} is that of your link ${encodeId('lnk', linkId)}. Change that link, or choose another slug.`
}

export function shortUrl(base: string, slug: string): string {
  return `${base}/${slug}`
}
