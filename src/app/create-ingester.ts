/**
 * Creates the click ingester outside the Nest modules. Every thread loads its own copy of the code, so the code for
 * click events is loaded only when a webhook subscribes to them.
 */
import type { DataSource, EntityManager } from 'typeorm'

import type { NewClick } from '../clicks/click.entity.js'
import type { ClickEvents, RecordEvents } from '../clicks/ingest/click-events.js'
import { ClickIngester } from '../clicks/ingest/click-ingester.js'
import type { Locations } from '../clicks/ingest/locations.js'
import type { IngestLog, IngestSettings } from '../clicks/ingest/messages.js'
import { quarantineClick, getQuarantineFile } from '../clicks/journal/quarantine.js'
import { deliveryPartitions } from '../deliveries/delivery.entity.js'
import { findWantedEvents } from '../dispatch/subscriptions.js'
import { EventRow } from '../events/event.entity.js'
import { Link } from '../links/link.entity.js'
import { connectDataSource, dataSourceOptions } from '../platform/database/data-source.js'
import { backgroundTimeoutMs } from '../platform/database/pg-client.js'
import { isPooled } from '../platform/database/pooler.js'

interface CreateIngesterOptions {
  /** `shortUrlBase` may change later. */
  settings: IngestSettings
  /** The folder of all journals. */
  root: string
  locations: Locations
  log: IngestLog
  /** Called when deliveries for these webhooks are committed. */
  wakeLanes: (webhookIds: string[], isProven: boolean) => void
}

export function createIngester(options: CreateIngesterOptions): ClickIngester {
  const { settings, root, locations, log, wakeLanes } = options
  let source: DataSource | null = null
  let clickEvents: ClickEvents | null = null

  async function assignEventIds(
    tx: EntityManager,
    clicks: readonly NewClick[],
  ): Promise<RecordEvents | null> {
    const workspaces = [...new Set(clicks.map(({ workspaceId }) => workspaceId))]
    const wanted = await findWantedEvents(tx, 'click', workspaces)
    if (wanted.size === 0) return null
    const { createClickEvents } = await import('./create-click-events.js')
    clickEvents ??= createClickEvents(source!, {
      shortUrlBase: () => settings.shortUrlBase,
      waker: { wake: (webhookIds, isProven = false) => wakeLanes([...webhookIds], isProven) },
    })
    return clickEvents.assignEventIds(tx, clicks, wanted)
  }

  return new ClickIngester({
    locations,
    addressMode: settings.clickIp,
    connect: async () => {
      source = await connectDataSource({
        ...dataSourceOptions(settings.databaseUrl, 1, backgroundTimeoutMs, isPooled(settings)),
        entities: [EventRow, Link],
      })
      return source
    },
    assignEventIds,
    deliveries: deliveryPartitions,
    quarantine: async (click, reason) => {
      await quarantineClick(root, click)
      log.warn(`A click cannot be written and was moved to ${getQuarantineFile(root)}: ${reason.message}`)
    },
  })
}
