/** What a process knows of sessions: those that it checked lately, and when each was last used. */
import { Injectable } from '@nestjs/common'

import { CheckedCredentials, CredentialUse } from '../auth/checked-credentials.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { currentMs } from '../platform/util/clock.js'
import { Maintenance } from '../platform/database/maintenance.js'
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

  protected override isGood = ({ createdAt, lastUsedAt }: Session): boolean => {
    const now = currentMs()
    return now - createdAt.getTime() < lifeMs && now - lastUsedAt.getTime() < idleMs
  }
}

/** When each session was last used. */
@Injectable()
export class SessionUse extends CredentialUse<Session> {
  constructor(sessions: SessionsRepository, maintenance: Maintenance) {
    super((used) => sessions.recordUse(used))
    maintenance.add('Ended sessions of the dashboard stay for now', (tx) => sessions.deleteOld(tx))
  }
}
