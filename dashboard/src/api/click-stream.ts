/** The live click stream of a link. */
import type { Click } from '@link-service/client'

import { service } from './client.js'

/**
 * Calls `onClick` for each click of a link until the signal aborts. No click after `onReady` is missed: a broken stream
 * resumes after the last click.
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
