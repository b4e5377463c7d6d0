/** Creates click events and their fan-out outside the Nest modules, for the ingest thread. */
import type { DataSource } from 'typeorm'

import { ClickEvents } from '../clicks/ingest/click-events.js'
import { AfterCommit } from '../platform/database/after-commit.js'
import { FanOut } from '../dispatch/fan-out.js'
import type { LaneWaker } from '../deliveries/pending-deliveries.js'
import { EventRow } from '../events/event.entity.js'
import { EventRecorder } from '../events/event-recorder.js'
import type { NoticeOutbox } from '../events/ports.js'
import { EventsRepository } from '../events/events.repository.js'

/** Clicks cause no notices. */
const noNotices: NoticeOutbox = { queueNotices: () => Promise.resolve() }

interface ClickEventOptions {
  shortUrlBase: () => string
  waker: LaneWaker
}

/** Call this once for each data source, because AfterCommit subscribes to its transactions. */
export function createClickEvents(
  dataSource: DataSource,
  { shortUrlBase, waker }: ClickEventOptions,
): ClickEvents {
  new AfterCommit(dataSource)
  const fanOut = new FanOut(waker)
  const events = new EventRecorder(
    new EventsRepository(dataSource.getRepository(EventRow)),
    fanOut,
    noNotices,
  )
  return new ClickEvents(shortUrlBase, events)
}
