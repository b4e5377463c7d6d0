/** Builds click events and their fan-out for code that writes clicks outside the modules of Nest. */
import type { DataSource } from 'typeorm'

import { ClickEvents } from '../clicks/ingest/click-events.js'
import { AfterCommit } from '../platform/database/after-commit.js'
import { FanOut } from '../dispatch/fan-out.js'
import type { LaneWaker } from '../deliveries/lane-waker.js'
import { EventRow } from '../events/event.entity.js'
import { EventRecorder } from '../events/event-recorder.js'
import { EventsRepository } from '../events/events.repository.js'
import { Link } from '../links/link.entity.js'
import { LinksRepository } from '../links/links.repository.js'

interface ClickEventNeeds {
  shortUrlBase: () => string
  waker: LaneWaker
}

/** Call this once per data source, because AfterCommit attaches itself to it. */
export function makeClickEvents(
  dataSource: DataSource,
  { shortUrlBase, waker }: ClickEventNeeds,
): ClickEvents {
  new AfterCommit(dataSource)
  const fanOut = new FanOut(waker)
  const events = new EventRecorder(new EventsRepository(dataSource.getRepository(EventRow)), fanOut)
  return new ClickEvents(shortUrlBase, events, new LinksRepository(dataSource.getRepository(Link)))
}
