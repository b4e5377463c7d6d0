/** Clicks as they come. */
import type { Click } from '@link-service/client'

import { service } from './client.js'

/**
 * Calls `onClick` for each click of a link until the signal ends it. From `onReady` on no click is missed, because a
 * stream that breaks is resumed where it was.
 */
export async function followClicks(
  linkId: string,
  signal: AbortSignal,
  { onReady, onClick }: { onReady: () => void; onClick: (click: Click) => void },
): Promise<void> {
  const filter = { link_id: linkId }
  const { next_cursor: after } = await service.clicks.read({ ...filter, after: 'latest' }, { signal })
  onReady()
  for await (const { item } of service.clicks.live(filter, { after: after ?? '', signal })) onClick(item)
}
