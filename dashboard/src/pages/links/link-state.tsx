import type { Link } from '@link-service/client'

import { formatDay } from '../../app/format.js'
import { Badge } from '../../components/basics.js'

export function LinkState({ link }: { link: Link }) {
  if (!link.enabled) return <Badge tone="warn">disabled</Badge>
  if (link.expires_at === null) return null
  return Date.parse(link.expires_at) <= Date.now() ? (
    <Badge tone="bad">expired</Badge>
  ) : (
    <Badge>expires {formatDay(link.expires_at)}</Badge>
  )
}
