/** The current path and query as a signal. Links between pages change them without loading a document. */
import { signal } from '@preact/signals'

export const base = '/dashboard'

export interface Place {
  path: string
  query: URLSearchParams
}

function placeOf({ pathname, search }: Location): Place {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search) }
}

export const place = signal<Place>(placeOf(location))

export function navigate(to: string, { replace = false } = {}): void {
  const url = base + to
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  const previousPath = place.value.path
  place.value = placeOf(location)
  if (place.value.path !== previousPath) scrollTo(0, 0)
}

/** Changes query parameters, removes empty ones, and returns to the first page of a list. */
export function setQuery(changes: Record<string, string | null | undefined>, { replace = false } = {}): void {
  const query = new URLSearchParams(place.value.query)
  query.delete('cursor')
  for (const [name, value] of Object.entries(changes))
    if (value) query.set(name, value)
    else query.delete(name)
  const search = query.toString()
  navigate(place.value.path + (search && `?${search}`), { replace })
}

export function queryOf(name: string): string {
  return place.value.query.get(name) ?? ''
}

/** Returns the values of the `:name` parameters, or null if the path does not match the pattern. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const [patternParts, pathParts] = [pattern.split('/'), path.replace(/\/$/, '').split('/')]
  if (pattern === '/') return path === '/' ? {} : null
  if (patternParts.length !== pathParts.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, part] of patternParts.entries()) {
    const value = pathParts[index] ?? ''
    if (part.startsWith(':')) parameters[part.slice(1)] = value
    else if (part !== value) return null
  }
  return parameters
}

export function startRouter(): void {
  addEventListener('popstate', () => (place.value = placeOf(location)))
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null
    if (!anchor || event.defaultPrevented || !isPageLink(anchor, event)) return
    event.preventDefault()
    navigate(anchor.pathname.slice(base.length) + anchor.search)
  })
}

function isPageLink(anchor: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const isPage = anchor.origin === location.origin && anchor.pathname.startsWith(`${base}/`)
  const isFile = anchor.pathname.startsWith(`${base}/api/`) || anchor.hasAttribute('download')
  return isPlain && isPage && !isFile && anchor.target === '' && anchor.hash === ''
}
