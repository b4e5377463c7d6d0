/** Paginated lists. The cursor is part of the URL, and the next page is prefetched. */
import type { Page } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import { prefetch, useResource } from '../app/resource.js'
import type { Resource } from '../app/resource.js'
import { getQueryParameter, navigate, place } from '../app/router.js'
import { Empty } from './states.js'

type Load<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>

/** Loads the current page of a list. `key` identifies the list and its filters, and is null for no list. */
export function usePages<T>(
  key: string | null,
  load: Load<T>,
  options?: { everyMs?: number },
): Resource<Page<T>> {
  const cursor = getQueryParameter('cursor') || undefined
  const getPageKey = (at: string | undefined) => `${key} ${at ?? ''}`
  return useResource(
    key && getPageKey(cursor),
    async (signal) => {
      const page = await loadFilled(load, cursor, signal)
      const next = page.next_cursor
      if (page.data.length > 0 && page.has_more && next !== null)
        prefetch(getPageKey(next), (ahead) => loadFilled(load, next, ahead))
      return page
    },
    options,
  )
}

/** The number of pages that are searched for a match before the user is asked. */
const maxSearched = 4

/** Skips empty pages: the service reads a limited number of rows for a page, and none of these may match. */
async function loadFilled<T>(
  load: Load<T>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<T>> {
  let page = await load(cursor, signal)
  for (let searched = 1; searched < maxSearched; searched++) {
    if (page.data.length > 0 || page.next_cursor === null) break
    page = await load(page.next_cursor, signal)
  }
  return page
}

function goToCursor(cursor: string | null): void {
  const query = new URLSearchParams(place.value.query)
  if (cursor === null) query.delete('cursor')
  else query.set('cursor', cursor)
  const search = query.toString()
  navigate(place.value.path + (search && `?${search}`))
  focusTitle()
}

/** Scrolls to the top and moves the focus to the title. */
function focusTitle(): void {
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('h1')?.focus()
}

function goBack(): void {
  history.back()
  focusTitle()
}

export function Pager({ page, children }: { page: Page<unknown>; children?: ComponentChildren }) {
  const isFirst = getQueryParameter('cursor') === ''
  const isOnly = isFirst && (!page.has_more || page.data.length === 0)
  if (isOnly) return children ? <div class="pager muted">{children}</div> : null
  return (
    <nav class="pager" aria-label="Pages">
      <span class="muted">{children}</span>
      <button type="button" disabled={isFirst} onClick={() => goToCursor(null)}>
        First
      </button>
      <button type="button" disabled={isFirst} onClick={goBack}>
        Previous
      </button>
      <button type="button" disabled={!page.has_more} onClick={() => goToCursor(page.next_cursor)}>
        Next
      </button>
    </nav>
  )
}

/** An empty page with a next page: no match was found so far. */
export function SearchOlder({ page, what }: { page: Page<unknown>; what: string }) {
  return (
    <Empty title="No matches yet">
      <p>Older {what} have not been searched.</p>
      <button type="button" class="small" onClick={() => goToCursor(page.next_cursor)}>
        Search older {what}
      </button>
    </Empty>
  )
}
