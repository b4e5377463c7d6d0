import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { Problem } from '../../platform/http/problem.js'
import { WebhookLookup } from '../webhook-lookup.js'
import { StatsDto } from './stats.dto.js'
import { StatsRepository } from './stats.repository.js'

@Injectable()
export class StatsService {
  constructor(
    private readonly webhooks: WebhookLookup,
    private readonly stats: StatsRepository,
  ) {}

  async of(caller: Caller, id: string): Promise<StatsDto> {
    const webhook = await this.webhooks.get(caller.workspaceId, id)
    const ledger = await this.stats.ledgerOf(webhook.id)
    if (!ledger) throw new Problem('not_found')
    return StatsDto.from(ledger, await this.stats.recentOf(webhook.id))
  }
}
