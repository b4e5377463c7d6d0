/** When each session was last used. */
import { Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'

import { Maintenance } from '../platform/http/maintenance.js'
import { WriteBehind } from '../platform/util/write-behind.js'
import { writeEveryMs } from './limits.js'
import type { Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SessionUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionUse.name)
  private readonly used: WriteBehind<Session>

  constructor(sessions: SessionsRepository, maintenance: Maintenance) {
    this.used = new WriteBehind(
      writeEveryMs,
      (used) => sessions.recordUse(used),
      (error) => this.logger.warn(`Times of use could not be written, and are kept: ${error.message}`),
    )
    maintenance.add('Ended sessions of the dashboard stay for now', () => sessions.deleteOld())
  }

  note(session: Session): void {
    session.lastUsedAt = new Date()
    this.used.set(session.id, session)
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.used.flush()
  }
}
