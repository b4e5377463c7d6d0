/** The cookie that holds a session. Only the pages and calls of the dashboard get it, and no script can read it. */
import type { IncomingMessage } from 'node:http'

import { lifeMs } from './limits.js'

/** Browsers take a cookie of this prefix only from https, so nobody on the way can plant one. */
export function cookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}link_service_session`
}

export function cookieOf(publicUrl: string, value: string): string {
  return `${cookieName(publicUrl)}=${value}; ${attributes(publicUrl)}; Max-Age=${lifeMs / 1000}`
}

export function noCookie(publicUrl: string): string {
  return `${cookieName(publicUrl)}=; ${attributes(publicUrl)}; Max-Age=0`
}

/** Null also where it comes twice: a page of a neighbouring host may have planted the other one. */
export function valueIn({ headers }: IncomingMessage, name: string): string | null {
  const { cookie } = headers
  if (cookie === undefined) return null
  const start = `${name}=`
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return values.length === 1 ? values[0]!.slice(start.length) : null
}

function attributes(publicUrl: string): string {
  return `Path=/dashboard; HttpOnly; SameSite=Strict${isSecure(publicUrl) ? '; Secure' : ''}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
