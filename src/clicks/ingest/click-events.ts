/** Creates events of the clicks that a webhook wants. */
import type { EntityManager } from 'typeorm'

import type { EventRecorder } from '../../events/event-recorder.js'
import { clickedLink } from '../../links/link.dto.js'
import type { ClickedLink } from '../../links/link.dto.js'
import type { LinksRepository } from '../../links/links.repository.js'
import { ClickDto } from '../click.dto.js'
import type { NewClick } from '../click.entity.js'
import { selectWantedClicks } from './wanted-clicks.js'
import type { WantedClicks } from './wanted-clicks.js'

/** Records the events of clicks that were not in the database yet. */
export type RecordEvents = (newClicks: readonly NewClick[]) => Promise<void>

export class ClickEvents {
  constructor(
    private readonly shortUrlBase: () => string,
    private readonly events: EventRecorder,
    private readonly links: LinksRepository,
  ) {}

  /**
   * Sets `eventId` of the clicks that need an event. Call this before the clicks are written, and the returned function
   * afterwards. The event has the ID of its click, so a batch that is written twice creates no duplicate events.
   */
  async assignEventIds(
    tx: EntityManager,
    clicks: readonly NewClick[],
    wanted: WantedClicks,
  ): Promise<RecordEvents> {
    const reported = await selectWantedClicks(clicks, wanted, (linkIds, tags) =>
      this.links.findTags(tx, linkIds, tags),
    )
    if (reported.length === 0) return () => Promise.resolve()
    const links = await this.links.findAll(tx, [...new Set(reported.map(({ linkId }) => linkId))])
    for (const click of reported) if (links.has(click.linkId)) click.eventId = click.id
    return (newClicks) =>
      this.events.record(
        tx,
        ...newClicks
          .filter(({ eventId }) => eventId !== null)
          .map((click) => ({
            type: 'click' as const,
            ...createClickEvent(click, clickedLink(links.get(click.linkId)!, this.shortUrlBase())),
          })),
      )
  }
}

function createClickEvent(click: NewClick, link: ClickedLink) {
  return {
    id: click.id,
    workspaceId: click.workspaceId,
    linkId: click.linkId,
    traceparent: click.traceparent,
    data: { click: ClickDto.fromClick(click), link },
  }
}
