/** What a process knows of sessions: those that it checked lately, and when each was last used. */
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common'

import { CheckedCredentials, writeEveryMs } from '../auth/checked-credentials.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { Maintenance } from '../platform/http/maintenance.js'
import { WriteBehind } from '../platform/util/batching.js'
import { idleMs, lifeMs, mostSessions } from './limits.js'
import { SecretHashes, isSecret } from './secrets.js'
import type { Session } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

@Injectable()
export class SessionCache extends CheckedCredentials<Session> {
  constructor(
    feed: ChangeFeed,
    private readonly repository: SessionsRepository,
    private readonly hashes: SecretHashes,
  ) {
    super(feed, 'session', mostSessions)
  }

  protected hasForm(value: string): boolean {
    return isSecret(value)
  }

  protected read(value: string): Promise<Session | null> {
    return this.repository.findByHash(this.hashes.of('session', value))
  }

  protected override isGood({ createdAt, lastUsedAt }: Session): boolean {
    const now = Date.now()
    return now - createdAt.getTime() < lifeMs && now - lastUsedAt.getTime() < idleMs
  }
}

/** When each session was last used. */
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
