import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { StatsDto } from './stats.dto.js'
import { StatsRepository } from './stats.repository.js'

@Injectable()
export class StatsService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly stats: StatsRepository,
  ) {}

  async getStats(caller: Caller, id: string): Promise<StatsDto> {
    const webhook = await this.webhooks.get(caller, id)
    const ledger = await this.stats.findLedger(webhook.id)
    if (!ledger) throw notFound('webhook')
    return StatsDto.fromLedger(ledger, await this.stats.findRecent(webhook.id))
  }
}
