/** The current path and query as a signal. Links between pages change them without loading a document. */
import { signal } from '@preact/signals'

import { base } from './base.js'
import { askToDiscard, leaveForm, losesChanges } from './unsaved-changes.js'

export interface Place {
  path: string
  query: URLSearchParams
}

function getPlace({ pathname, search }: Location): Place {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search) }
}

export const place = signal<Place>(getPlace(location))

/** The position of the current page in the history of the tab, to distinguish Back from Forward. */
let position = savedPosition() ?? 0

function savedPosition(): number | null {
  const { position: saved } = (history.state ?? {}) as { position?: number }
  return saved ?? null
}

/** Opens a page that the user chose, unless the user keeps editing a form with unsaved changes. */
export function visit(to: string): void {
  leaveForm(() => navigate(to), to.split('?')[0] === place.value.path)
}

export function navigate(to: string, { replace = false } = {}): void {
  const url = base + to
  if (!replace) position++
  if (replace) history.replaceState({ position }, '', url)
  else history.pushState({ position }, '', url)
  const previousPath = place.value.path
  place.value = getPlace(location)
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

export function getQueryParameter(name: string): string {
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

/** Whether the user agreed to discard the changes before the next step through the history. */
let isDiscarded = false

/** Back and Forward change the URL before the page can ask, so the page undoes the step while it asks. */
function handlePopState(): void {
  const next = getPlace(location)
  const steps = (savedPosition() ?? position) - position
  if (steps !== 0 && !isDiscarded && losesChanges({ isSamePage: next.path === place.value.path })) {
    history.go(-steps)
    void askToDiscard().then((mayLeave) => {
      isDiscarded = mayLeave
      if (mayLeave) history.go(steps)
    })
    return
  }
  isDiscarded = false
  position += steps
  place.value = next
}

export function startRouter(): void {
  history.replaceState({ position }, '')
  addEventListener('popstate', handlePopState)
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null
    if (!anchor || event.defaultPrevented || !isPageLink(anchor, event)) return
    event.preventDefault()
    visit(anchor.pathname.slice(base.length) + anchor.search)
  })
}

function isPageLink(anchor: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const isPage = anchor.origin === location.origin && anchor.pathname.startsWith(`${base}/`)
  const isFile = anchor.pathname.startsWith(`${base}/api/`) || anchor.hasAttribute('download')
  return isPlain && isPage && !isFile && anchor.target === '' && anchor.hash === ''
}
