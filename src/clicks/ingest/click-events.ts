/** Makes the events of clicks, only for workspaces in which a webhook wants them. */
import type { EntityManager } from 'typeorm'

import type { EventRecorder } from '../../events/event-recorder.js'
import { clickedLink } from '../../links/link.dto.js'
import type { ClickedLink } from '../../links/link.dto.js'
import type { LinksRepository } from '../../links/links.repository.js'
import { ClickDto } from '../click.dto.js'
import type { NewClick } from '../click.entity.js'

/** Records the events of the clicks that are new. */
export type RecordEvents = (fresh: readonly NewClick[]) => Promise<void>

export class ClickEvents {
  constructor(
    private readonly shortUrlBase: () => string,
    private readonly events: EventRecorder,
    private readonly links: LinksRepository,
  ) {}

  /**
   * Marks the clicks that become events before they are written, so that the row of a click says for ever whether it
   * became one. An event has the id of its click, so a batch that comes twice makes no event twice.
   */
  async mark(
    tx: EntityManager,
    clicks: readonly NewClick[],
    wanting: ReadonlySet<string>,
  ): Promise<RecordEvents> {
    const wanted = clicks.filter(({ workspaceId }) => wanting.has(workspaceId))
    const links = await this.links.findAll(tx, [...new Set(wanted.map(({ linkId }) => linkId))])
    for (const click of wanted) if (links.has(click.linkId)) click.eventId = click.id
    return (fresh) =>
      this.events.record(
        tx,
        ...fresh
          .filter(({ eventId }) => eventId !== null)
          .map((click) => ({
            type: 'click' as const,
            ...eventOf(click, clickedLink(links.get(click.linkId)!, this.shortUrlBase())),
          })),
      )
  }
}

function eventOf(click: NewClick, link: ClickedLink) {
  return {
    id: click.id,
    workspaceId: click.workspaceId,
    linkId: click.linkId,
    data: { click: ClickDto.from(click), link },
  }
}
