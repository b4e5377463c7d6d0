/** Caches the sessions that were recently checked, and records when each session was last used. */
import { Injectable } from '@nestjs/common'

import { CheckedCredentials, CredentialUse } from '../auth/checked-credentials.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { currentMs } from '../platform/util/clock.js'
import { Maintenance } from '../platform/database/maintenance.js'
import { SecretHashes, isSecret } from './secrets.js'
import { type Session, sessionIdleMs, sessionLifeMs } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

const maxCachedSessions = 10_000

@Injectable()
export class SessionCache extends CheckedCredentials<Session> {
  constructor(
    feed: ChangeFeed,
    private readonly repository: SessionsRepository,
    private readonly hashes: SecretHashes,
  ) {
    super(feed, 'session', maxCachedSessions)
  }

  protected isWellFormed(value: string): boolean {
    return isSecret(value)
  }

  protected readByValue(value: string): Promise<Session | null> {
    return this.repository.findByHashes([
      this.hashes.hashSecret('session', value),
      this.hashes.hashSecret('portal session', value),
    ])
  }

  protected override isGood = ({ createdAt, lastUsedAt, endsAt }: Session): boolean => {
    const now = currentMs()
    return (
      now - createdAt.getTime() < sessionLifeMs &&
      now - lastUsedAt.getTime() < sessionIdleMs &&
      (endsAt === null || now < endsAt.getTime())
    )
  }
}

/** Records when each session was last used. */
@Injectable()
export class SessionUse extends CredentialUse<Session> {
  constructor(sessions: SessionsRepository, maintenance: Maintenance) {
    super((used) => sessions.recordUse(used))
    maintenance.addWork('Expired dashboard sessions were not deleted', (tx) => sessions.deleteExpired(tx))
  }
}
