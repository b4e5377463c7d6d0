import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

import { Idempotency } from './idempotency.js'
import { RateLimit } from './rate-limit.js'

const everyMs = 600_000

/** Throws away stored answers and request counts that are past their time. */
@Injectable()
export class HttpMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(HttpMaintenance.name)
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly idempotency: Idempotency,
    private readonly rateLimit: RateLimit,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), everyMs).unref()
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer)
  }

  private async run(): Promise<void> {
    try {
      await this.idempotency.forgetOld()
      await this.rateLimit.forgetOld()
    } catch (error) {
      this.logger.warn(`Old answers and counts stay for now: ${(error as Error).message}`)
    }
  }
}
