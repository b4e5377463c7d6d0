/** When each session was last used: kept in memory, written in batches, so that a check never costs a write. */
import { Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'

import { Maintenance } from '../platform/http/maintenance.js'
import { writeEveryMs } from './limits.js'
import type { Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SessionUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionUse.name)
  private unwritten = new Map<string, Session>()
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly sessions: SessionsRepository,
    maintenance: Maintenance,
  ) {
    maintenance.add('Ended sessions of the dashboard stay for now', () => this.sessions.deleteOld())
  }

  note(session: Session): void {
    session.lastUsedAt = new Date()
    this.unwritten.set(session.id, session)
    this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write()
  }

  private async write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const used = this.unwritten
    if (used.size === 0) return
    this.unwritten = new Map()
    try {
      await this.sessions.recordUse([...used.values()])
    } catch (error) {
      this.logger.warn(`Times of use could not be written, and are kept: ${(error as Error).message}`)
      this.unwritten = new Map([...used, ...this.unwritten])
      this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
    }
  }
}
