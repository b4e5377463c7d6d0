/** Rejects requests that a restriction of the token forbids, and records them in the audit log. */
import { Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

import { AuditService } from '../audit/audit.service.js'
import type { Actor } from '../audit/audit.service.js'
import { Problem } from '../platform/http/problems/problem.js'
import { findViolation } from './restrictions.js'
import type { Restrictions } from './restrictions.js'
import type { Token } from './token.entity.js'

const recordEveryMs = 60_000
const maxRemembered = 10_000

@Injectable()
export class RestrictedAttempts {
  /**
   * These requests do not count toward the rate limit, so that a rejected caller cannot use up the limit of the token.
   * Each process therefore records only the first one per minute, token and restriction.
   */
  private readonly recorded = new LRUCache<string, true>({ max: maxRemembered, ttl: recordEveryMs })

  constructor(private readonly audit: AuditService) {}

  async refuseRequest(
    token: Token,
    restriction: 'allowed_ips' | 'not_before',
    { ip, id, method, routeOptions }: FastifyRequest,
  ): Promise<never> {
    const key = `${token.id} ${restriction}`
    if (!this.recorded.has(key)) {
      this.recorded.set(key, true)
      const actor = { tokenId: token.id, workspaceId: token.workspaceId, address: ip, requestId: id }
      await recordRestricted(this.audit, actor, token.id, restriction, {
        method,
        path: routeOptions.url ?? null,
      })
    }
    throw createViolationProblem(token.restrictions!, restriction, ip)
  }
}

export function recordRestricted(
  audit: AuditService,
  actor: Actor,
  tokenId: string,
  restriction: keyof Restrictions,
  operation: { method: string; path: string | null },
): Promise<void> {
  return audit.recordWithoutTransaction(
    actor,
    'token.refused',
    { type: 'token', id: tokenId },
    { restriction, ...operation },
  )
}

/** Returns the error if a restriction forbids using the token now from this address, or null. */
export function findRestrictionProblem({ restrictions }: Token, address: string): Problem | null {
  const violated = restrictions && findViolation(restrictions, address)
  return violated && createViolationProblem(restrictions, violated, address)
}

function createViolationProblem(
  { not_before }: Restrictions,
  restriction: 'allowed_ips' | 'not_before',
  address: string,
): Problem {
  const detail =
    restriction === 'allowed_ips'
      ? `This token cannot be used from the IP address ${address}.`
      : `This token cannot be used before ${not_before}.`
  return createRestrictedProblem(restriction, detail)
}

export function createRestrictedProblem(restriction: keyof Restrictions, detail: string): Problem {
  return new Problem('restricted', { detail, more: { restriction } })
}
