import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

const everyMs = 600_000

interface Work {
  failed: string
  run: () => Promise<void>
}

/** Throws away what requests left in the database and what is past its time. */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Maintenance.name)
  private readonly works: Work[] = []
  private timer: NodeJS.Timeout | null = null

  /** To be called while the application is put together; `failed` is what is logged when the work fails. */
  add(failed: string, run: () => Promise<void>): void {
    this.works.push({ failed, run })
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), everyMs).unref()
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer)
  }

  private async run(): Promise<void> {
    for (const { failed, run } of this.works)
      await run().catch((error: unknown) => this.logger.warn(`${failed}: ${(error as Error).message}`))
  }
}
