/** The events of clicks, made only for workspaces in which someone wants them. */
import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { encodeId } from '../database/ids.js'
import type { EventData } from '../events/catalogue.js'
import { EventRecorder } from '../events/event-recorder.js'
import { Link } from '../links/link.entity.js'
import { LinksRepository } from '../links/links.repository.js'
import { ClickDto } from './click.dto.js'
import type { NewClick } from './click.entity.js'

@Injectable()
export class ClickEvents {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
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
      id: encodeId('link', link.id),
      slug: link.slug,
      short_url: `${this.settings.shortUrlBase ?? this.settings.publicUrl}/${link.slug}`,
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
