/** Clicks as they come: from the event stream, or where there is none from the feed. */
import type { Click } from '@link-service/client'

import { addressOf } from './raw-call.js'
import { service } from './service.js'

const pollMs = 1_000

/** Calls `onClick` for each click of a link until the signal ends it. `onState` tells whether clicks can come now. */
export function followClicks(
  linkId: string,
  signal: AbortSignal,
  onClick: (click: Click) => void,
  onState: (isOn: boolean) => void,
): void {
  const source = new EventSource(addressOf('/v1/clicks/live', { link_id: linkId }))
  const take = (message: MessageEvent) => onClick(JSON.parse(String(message.data)) as Click)
  source.addEventListener('message', take)
  source.addEventListener('click', take)
  source.addEventListener('open', () => onState(true))
  source.addEventListener('error', () => {
    onState(false)
    // A stream that broke is opened again by the browser; one that was refused is not.
    if (source.readyState !== EventSource.CLOSED || signal.aborted) return
    source.close()
    void followFeed(linkId, signal, onClick, onState)
  })
  signal.addEventListener('abort', () => source.close(), { once: true })
}

async function followFeed(
  linkId: string,
  signal: AbortSignal,
  onClick: (click: Click) => void,
  onState: (isOn: boolean) => void,
): Promise<void> {
  try {
    const rows = service.clicks.follow({ link_id: linkId, after: 'latest', pollMs, signal })
    onState(true)
    for await (const { item } of rows) onClick(item)
  } catch {
    if (!signal.aborted) onState(false)
  }
}
