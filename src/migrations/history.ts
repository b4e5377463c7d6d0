/** The history of all tables, oldest first. A migration that is in this list never changes. */
import type { Migrations } from '../platform/database/data-source.js'
import { InitialSchema1763700000000 } from './1763700000000-initial-schema.js'
import { LinksAndClicks1763800000000 } from './1763800000000-links-and-clicks.js'
import { LinkSearch1763850000000 } from './1763850000000-link-search.js'
import { EventsAndWebhooks1763900000000 } from './1763900000000-events-and-webhooks.js'
import { Replays1763950000000 } from './1763950000000-replays.js'
import { QuickCreates1764000000000 } from './1764000000000-quick-creates.js'
import { AuditedLinks1764200000000 } from './1764200000000-audited-links.js'
import { Imports1764300000000 } from './1764300000000-imports.js'
import { Explained1764400000000 } from './1764400000000-explained.js'
import { ClickFields1764500000000 } from './1764500000000-click-fields.js'
import { Analytics1764600000000 } from './1764600000000-analytics.js'
import { DashboardSessions1764700000000 } from './1764700000000-dashboard-sessions.js'
import { LinkTags1764800000000 } from './1764800000000-link-tags.js'
import { RunningSums1764900000000 } from './1764900000000-running-sums.js'
import { QuickIds1765000000000 } from './1765000000000-quick-ids.js'
import { TagCounts1765300000000 } from './1765300000000-tag-counts.js'
import { CompactClicks1765400000000 } from './1765400000000-compact-clicks.js'
import { UnclickedLinks1765500000000 } from './1765500000000-unclicked-links.js'
import { LinksByAge1765600000000 } from './1765600000000-links-by-age.js'
import { ResumedLanes1765700000000 } from './1765700000000-resumed-lanes.js'
import { FeedEpoch1766100000000 } from './1766100000000-feed-epoch.js'
import { AnalyticsRows1766200000000 } from './1766200000000-analytics-rows.js'
import { CountedDeliveries1766400000000 } from './1766400000000-counted-deliveries.js'
import { ActiveTokens1766400000001 } from './1766400000001-active-tokens.js'
import { LinkCountersForAll1766600000000 } from './1766600000000-link-counters-for-all.js'
import { Subscriptions1767200000000 } from './1767200000000-subscriptions.js'
import { LinkNotes1767200000001 } from './1767200000001-link-notes.js'

export const history: Migrations = [
  InitialSchema1763700000000,
  LinksAndClicks1763800000000,
  LinkSearch1763850000000,
  EventsAndWebhooks1763900000000,
  Replays1763950000000,
  QuickCreates1764000000000,
  AuditedLinks1764200000000,
  Imports1764300000000,
  Explained1764400000000,
  ClickFields1764500000000,
  Analytics1764600000000,
  DashboardSessions1764700000000,
  LinkTags1764800000000,
  RunningSums1764900000000,
  QuickIds1765000000000,
  TagCounts1765300000000,
  CompactClicks1765400000000,
  UnclickedLinks1765500000000,
  LinksByAge1765600000000,
  ResumedLanes1765700000000,
  FeedEpoch1766100000000,
  AnalyticsRows1766200000000,
  CountedDeliveries1766400000000,
  ActiveTokens1766400000001,
  LinkCountersForAll1766600000000,
  Subscriptions1767200000000,
  LinkNotes1767200000001,
]
