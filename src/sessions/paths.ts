/** Where the dashboard is. Its calls are those of the API: the router sees their usual address. */
import type { FastifyRequest } from 'fastify'

export const pagesPath = '/dashboard'
export const sessionPath = '/dashboard/session'
const apiPath = '/dashboard/api'
const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** Behind the base path; null for what is no call of the dashboard. */
function callIn(url: string): string | null {
  // Proxies may send the whole address; of it the path counts, as in the router.
  const path = url.startsWith('/') ? url : url.replace(schemeAndHost, '')
  return path.startsWith(`${apiPath}/v1/`) ? path.slice(apiPath.length) : null
}

export function routedAs(basePath: string): (url: string) => string {
  return (url) => {
    const call = callIn(url)
    return call === null ? url : basePath + call
  }
}

/** Decided by the address as it came: no other request may stand on a session. */
export function isDashboardCall(request: FastifyRequest): boolean {
  return callIn(request.originalUrl) !== null
}

/** The path under which the caller sees the API. */
export function basePathFor(basePath: string): (request: FastifyRequest) => string {
  return (request) => (isDashboardCall(request) ? apiPath : basePath)
}
