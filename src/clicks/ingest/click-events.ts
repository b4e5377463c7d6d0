/** The events of clicks, made only for workspaces in which someone wants them. */
import type { EntityManager } from 'typeorm'

import { encodeId } from '../../platform/database/ids.js'
import type { EventData } from '../../events/catalogue.js'
import type { EventRecorder } from '../../events/event-recorder.js'
import type { Link } from '../../links/link.entity.js'
import type { LinksRepository } from '../../links/links.repository.js'
import { shortUrl } from '../../links/short-url.js'
import { ClickDto } from '../click.dto.js'
import type { NewClick } from '../click.entity.js'

export class ClickEvents {
  constructor(
    private readonly shortUrlBase: () => string,
    private readonly events: EventRecorder,
    private readonly links: LinksRepository,
  ) {}

  async record(tx: EntityManager, clicks: readonly NewClick[]): Promise<void> {
    const workspaces = [...new Set(clicks.map(({ workspaceId }) => workspaceId))]
    const wanting = await this.events.wanting(tx, 'click', workspaces)
    const wanted = clicks.filter(({ workspaceId }) => wanting.has(workspaceId))
    if (wanted.length === 0) return
    const links = await this.links.findAll(tx, [...new Set(wanted.map(({ linkId }) => linkId))])
    await this.events.record(
      tx,
      ...wanted.flatMap((click) => {
        const link = links.get(click.linkId)
        return link ? [{ type: 'click' as const, ...eventOf(click, this.show(link)) }] : []
      }),
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
      external_id: link.externalId,
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
