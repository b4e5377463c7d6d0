/** Creates events of the clicks that a webhook wants. */
import { In } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { EventRecorder } from '../../events/event-recorder.js'
import { clickedLink } from '../../links/link.dto.js'
import type { ClickedLink } from '../../links/link.dto.js'
import { Link } from '../../links/link.entity.js'
import { runStatement } from '../../platform/database/statements.js'
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
    const reported = await selectWantedClicks(clicks, wanted, (linkIds, tags) => findTags(tx, linkIds, tags))
    if (reported.length === 0) return () => Promise.resolve()
    const links = await findLinks(tx, [...new Set(reported.map(({ linkId }) => linkId))])
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

const findTagsStatement = {
  name: 'find-tags',
  text: 'SELECT id, tags FROM links WHERE id = ANY($1::uuid[]) AND tags && $2::text[]',
}

/** Returns the tags of the links that have one of `tags`, by link ID. Includes deleted links. */
async function findTags(
  tx: EntityManager,
  ids: readonly string[],
  tags: readonly string[],
): Promise<Map<string, string[]>> {
  const links = await runStatement<{ id: string; tags: string[] }>(tx, findTagsStatement, [ids, tags])
  return new Map(links.map((link) => [link.id, link.tags]))
}

/** Returns links by their IDs, including deleted links. */
async function findLinks(tx: EntityManager, ids: string[]): Promise<Map<string, Link>> {
  const links = await tx.findBy(Link, { id: In(ids) })
  return new Map(links.map((link) => [link.id, link]))
}
