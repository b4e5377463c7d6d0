/** Makes the events of clicks, only for workspaces in which a webhook wants them. */
import type { EntityManager } from 'typeorm'

import { encodeId } from '../../platform/database/ids.js'
import type { EventData } from '../../events/catalogue.js'
import type { EventRecorder } from '../../events/event-recorder.js'
import type { Link } from '../../links/link.entity.js'
import type { LinksRepository } from '../../links/links.repository.js'
import { shortUrl } from '../../links/addresses.js'
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
            ...eventOf(click, this.show(links.get(click.linkId)!)),
          })),
      )
  }

  private show(link: Link): EventData['click']['link'] {
    return {
      id: encodeId('lnk', link.id),
      slug: link.slug,
      short_url: shortUrl(this.shortUrlBase(), link.slug),
      url: link.url,
      title: link.title,
      tags: link.tags,
      external_id: link.external_id,
    }
  }
}

function eventOf(click: NewClick, link: EventData['click']['link']) {
  return {
    id: click.id,
    workspaceId: click.workspaceId,
    linkId: click.linkId,
    data: { click: ClickDto.from(click), link },
  }
}
