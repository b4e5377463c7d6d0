/** The recent clicks of a link, and its stream of live clicks. */
import { LinkService } from '@link-service/client'
import type { Click } from '@link-service/client'

import { fetchOrSignOut, service, serviceOptions } from './client.js'

/** The number of clicks read to find the recent ones, newest first. */
const maxRecent = 100

/** Returns the cursor after the newest click. */
export async function getNewestCursor(linkId: string, signal: AbortSignal): Promise<string> {
  const { next_cursor: cursor } = await service.clicks.read({ link_id: linkId, after: 'latest' }, { signal })
  return cursor ?? ''
}

/** Returns the clicks since a time, newest first. */
export async function getRecentClicks(linkId: string, since: number, signal: AbortSignal): Promise<Click[]> {
  const { data } = await service.links.clicks(linkId, { limit: maxRecent }, { signal }).page()
  return data.filter(({ occurred_at }) => Date.parse(occurred_at) >= since)
}

/**
 * Calls `onClick` for each click of a link after a cursor, until the signal aborts. No click is missed: a broken stream
 * resumes after the last click. Calls `onState` before each attempt to open a stream and when it opens, because
 * failed attempts are retried without an error.
 */
export async function followClicks(
  linkId: string,
  after: string,
  signal: AbortSignal,
  onClick: (click: Click, cursor: string) => void,
  onState: (isConnected: boolean) => void,
): Promise<void> {
  const { clicks } = new LinkService({
    ...serviceOptions,
    fetch: async (...request) => {
      onState(false)
      const response = await fetchOrSignOut(...request)
      onState(response.ok)
      return response
    },
  })
  for await (const { item, cursor } of clicks.live({ link_id: linkId }, { after, signal }))
    onClick(item, cursor)
}
