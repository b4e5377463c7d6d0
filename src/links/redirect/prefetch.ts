import type { IncomingHttpHeaders } from 'node:http'

const ahead = /prefetch|prerender|preview/i

/** The browser fetches ahead of a person who may never come: answered, and not a click. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { 'sec-purpose': secPurpose, purpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers
  if (secPurpose === undefined && purpose === undefined && xPurpose === undefined && xMoz === undefined)
    return false
  return ahead.test(`${String(secPurpose)} ${String(purpose)} ${String(xPurpose)} ${String(xMoz)}`)
}
