/** Clicks of a link over time and by dimension. */
import type { Link } from '@link-service/client'

import { ClickAnalytics } from '../../clicks/click-analytics.js'

export function LinkAnalytics({ link }: { link: Link }) {
  return (
    <ClickAnalytics
      linkId={link.id}
      emptyHint={
        link.clicks.total === 0
          ? 'No clicks yet. Share the short URL above.'
          : 'No clicks in this period. Choose a longer period or remove a filter.'
      }
    />
  )
}
