/**
 * The program of the thread that takes clicks into the database. Each thread has its own copy of every module, so it
 * loads few. The code for click events is loaded with the first webhook that wants them.
 */
import 'reflect-metadata'

import { parentPort, workerData } from 'node:worker_threads'

import type { DataSource, EntityManager } from 'typeorm'

import type { NewClick } from '../clicks/click.entity.js'
import type { ClickEvents, RecordEvents } from '../clicks/ingest/click-events.js'
import { ClickIngester, writers } from '../clicks/ingest/click-ingester.js'
import { Locations } from '../clicks/ingest/locations.js'
import type { FromIngest, IngestLog, IngestWorkerData, ToIngest } from '../clicks/ingest/messages.js'
import { Signals } from '../clicks/ingest/messages.js'
import { ClickReader } from '../clicks/journal/click-reader.js'
import { connect, dataSourceOptions } from '../platform/database/data-source.js'
import { backgroundMayTakeMs } from '../platform/database/pg-client.js'
import { isPooled } from '../platform/database/pooler.js'
import { currentMs, useSharedClock } from '../platform/util/clock.js'
import { workspacesWanting } from '../dispatch/subscriptions.js'
import { EventRow } from '../events/event.entity.js'
import { Link } from '../links/link.entity.js'

const port = parentPort!
const { settings, journal, signals, clock } = workerData as IngestWorkerData
useSharedClock(clock)
const tell = (message: FromIngest): void => port.postMessage(message)
const log: IngestLog = {
  info: (message) => tell({ kind: 'log', level: 'info', message }),
  warn: (message) => tell({ kind: 'log', level: 'warn', message }),
}

let source: DataSource | null = null
let clickEvents: ClickEvents | null = null
let shortUrlBase = settings.shortUrlBase

async function open(): Promise<DataSource> {
  const options = dataSourceOptions(settings.databaseUrl, writers, backgroundMayTakeMs, isPooled(settings))
  source = await connect({ ...options, entities: [EventRow, Link] })
  return source
}

async function markEvents(tx: EntityManager, clicks: readonly NewClick[]): Promise<RecordEvents | null> {
  const workspaces = [...new Set(clicks.map(({ workspaceId }) => workspaceId))]
  const wanting = await workspacesWanting(tx, 'click', workspaces)
  if (wanting.size === 0) return null
  const { makeClickEvents } = await import('./make-click-events.js')
  clickEvents ??= makeClickEvents(source!, {
    shortUrlBase: () => shortUrlBase,
    waker: {
      wake: (webhookIds, isProven = false) =>
        tell({ kind: 'deliveries', webhookIds: [...webhookIds], isProven }),
    },
  })
  return clickEvents.mark(tx, clicks, wanting)
}

const reader = new ClickReader(journal, {
  now: currentMs,
  onFault: (error) => log.warn(`The click journal: ${error.message}`),
})
const locations = new Locations(settings.geoipDb, log)
const ingester = new ClickIngester({
  reader,
  signals: new Signals(signals),
  locations,
  addressMode: settings.clickIp,
  connect: open,
  markEvents,
  log,
})

port.on('message', (message: ToIngest) => {
  switch (message.kind) {
    case 'written':
      shortUrlBase = message.shortUrlBase
      return ingester.wake()
    case 'renewed':
      reader.follow(message.folder)
      return ingester.wake()
    case 'stop':
      return ingester.stop(message.withinMs)
  }
})

await locations.open()
await ingester.run()
locations.close()
port.close()
