/** Caches the sessions that were recently checked, and records when each session was last used. */
import { Injectable, Logger } from '@nestjs/common'

import { CheckedCredentials, CredentialUse } from '../auth/checked-credentials.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { currentMs } from '../platform/util/clock.js'
import { Maintenance } from '../platform/database/maintenance.js'
import { SecretHashes, isSecret } from './secrets.js'
import { isPortalSession, type Session, sessionIdleMs, sessionLifeMs } from './session.entity.js'
import { SessionsRepository } from './sessions.repository.js'

const maxCachedSessions = 10_000

@Injectable()
export class SessionCache extends CheckedCredentials<Session> {
  private readonly logger = new Logger(SessionCache.name)

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

  protected async readByValue(value: string): Promise<Session | null> {
    const session = await this.repository.findByHashes([
      ...this.hashes.listPossible('session', value),
      ...this.hashes.listPossible('portal session', value),
    ])
    if (session) await this.replaceOldHash(value, session)
    return session
  }

  /** Stores the new hash after TOKEN_PEPPER was changed. A failure must not end the session. */
  private async replaceOldHash(value: string, session: Session): Promise<void> {
    const purpose = isPortalSession(session) ? 'portal session' : 'session'
    const replacement = this.hashes.createStored(purpose, value)
    if (replacement.hash.equals(session.hash)) return
    try {
      await this.repository.replaceHash(this.hashes, session, replacement)
    } catch (error) {
      this.logger.warn(`A session could not be rehashed: ${(error as Error).message}`)
    }
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
