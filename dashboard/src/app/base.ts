/** The path below which the pages are served. Pages of the webhook portal have their own path and session. */
// Specs import this file without a browser.
const { pathname } = (globalThis as { location?: { pathname: string } }).location ?? { pathname: '' }

export const isPortal = /^\/dashboard\/portal(?:\/|$)/.test(pathname)
export const base = isPortal ? '/dashboard/portal' : '/dashboard'
/** The path of the API for calls that use a session instead of a bearer token. */
export const apiBase = `${base}/api`
