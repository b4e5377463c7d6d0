/** Records the events of tokens, in the transaction of the change. Events never contain the value or hash of a token. */
import { Injectable } from '@nestjs/common'
import { In } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../audit/audit.service.js'
import { EventRecorder } from '../events/event-recorder.js'
import { encodeId } from '../platform/database/ids.js'
import { TokenDto } from './token.dto.js'
import { Token } from './token.entity.js'

/** Number of days before its expiry for which a token is reported as expiring. */
export type ExpiryDays = 7 | 1

const tokensPerRead = 1_000

@Injectable()
export class TokenEvents {
  constructor(private readonly events: EventRecorder) {}

  async recordCreation(tx: EntityManager, token: Token): Promise<void> {
    const data = { token: TokenDto.fromToken(token) }
    await this.events.record(tx, { type: 'token.created', ...getTokenEventSubject(token), data })
  }

  async recordExpiry(tx: EntityManager, token: Token, daysLeft: ExpiryDays): Promise<void> {
    const data = { token: TokenDto.fromToken(token), days_left: daysLeft }
    await this.events.record(tx, { type: 'token.expiring', ...getTokenEventSubject(token), data })
  }

  async recordRevocations(tx: EntityManager, actor: Actor, ids: readonly string[]): Promise<void> {
    const revokedBy = actor.tokenId && encodeId('tok', actor.tokenId)
    for (let at = 0; at < ids.length; at += tokensPerRead) {
      const tokens = await tx.findBy(Token, { id: In(ids.slice(at, at + tokensPerRead)) })
      await this.events.record(
        tx,
        ...tokens.map((token) => ({
          type: 'token.revoked' as const,
          ...getTokenEventSubject(token),
          data: { token: TokenDto.fromToken(token), revoked_by: revokedBy },
        })),
      )
    }
  }
}

function getTokenEventSubject({ workspaceId }: Token): { workspaceId: string; linkId: null } {
  return { workspaceId, linkId: null }
}
