/** Reads webhooks, with the figures of their lanes. */
import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { WebhookDto } from './webhook.dto.js'
import { WebhookLanes } from './webhook-lanes.js'
import { WebhooksRepository } from './webhooks.repository.js'

@Injectable()
export class WebhooksReadingService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly lanes: WebhookLanes,
    private readonly cursors: Cursors,
  ) {}

  list(caller: Caller, query: PageQuery): Promise<Page<WebhookDto>> {
    return this.cursors.readPage(query, `webhooks of ${caller.workspaceId}`, {
      read: async (before, limit) => {
        const webhooks = await this.webhooks.list(caller, before, limit)
        const figures = await this.lanes.getLaneFigures(webhooks)
        return webhooks.map((webhook) => ({ webhook, figures: figures.get(webhook.id)! }))
      },
      position: ({ webhook }) => webhook.id,
      show: ({ webhook, figures }) => WebhookDto.from(webhook, figures),
    })
  }

  async get(caller: Caller, id: string): Promise<WebhookDto> {
    const webhook = await this.webhooks.get(caller, id)
    return WebhookDto.from(webhook, (await this.lanes.getLaneFigures([webhook])).get(webhook.id)!)
  }
}
