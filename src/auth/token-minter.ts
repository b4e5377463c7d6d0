import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { TokenHashes } from './token-hashes.js'
import { getIdTime } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import { missingScopes } from './scopes.js'
import { findExcess } from './restrictions.js'
import type { Restrictions } from './restrictions.js'
import type { Scope } from './scopes.js'
import { Token } from './token.entity.js'
import { createTokenValue, getShownParts } from './token-value.js'

/** Bounds of the tokens that a token can create. */
export interface TokenLimits {
  scopes: readonly Scope[]
  expiresAt: Date | null
  restrictions: Restrictions | null
}

interface TokenFields {
  id: string
  workspaceId: string
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  restrictions: Restrictions | null
  createdBy: string | null
  rotatedFrom: string | null
}

const toleratedExcessMs = 60_000

@Injectable()
export class TokenMinter {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly hashes: TokenHashes,
  ) {}

  /** Creates a token and its value. The token stores only a hash of the value. */
  mintToken({ scopes, ...fields }: TokenFields): { token: Token; value: string } {
    const value = createTokenValue(this.settings.keyEnvironment)
    const token = Object.assign(new Token(), fields, getShownParts(value), {
      scopes: [...scopes],
      ...this.hashes.create(value, fields.restrictions !== null),
      createdAt: getIdTime(fields.id),
      expiryReportedDays: null,
      revokedAt: null,
      lastUsedAt: null,
      usedScopes: [],
    })
    return { token, value }
  }
}

/**
 * Caps an expiry that is less than a minute past the creating token's. A token with a lifetime of one hour can thus
 * create another one with `1h`, although part of its own hour has passed.
 */
export function capExpiry({ expiresAt: latest }: TokenLimits, wanted: Date): Date {
  const excessMs = latest ? wanted.getTime() - latest.getTime() : 0
  return latest && excessMs > 0 && excessMs < toleratedExcessMs ? latest : wanted
}

/** Throws if a new token would have more scopes, a later expiry or fewer restrictions than the token that creates it. */
export function requireNoEscalation(
  minter: TokenLimits,
  { scopes, expiresAt, restrictions }: TokenLimits,
): void {
  const excessScopes = missingScopes(minter.scopes, scopes)
  if (excessScopes.length > 0)
    throw new Problem('scope_escalation', {
      detail: `The calling token does not have ${excessScopes.join(', ')}, so it cannot grant them.`,
      more: { excess: { scopes: excessScopes } },
    })
  if (minter.expiresAt && (!expiresAt || expiresAt > minter.expiresAt)) {
    const limit = minter.expiresAt.toISOString()
    throw new Problem('scope_escalation', {
      detail: `The calling token expires at ${limit}. Use a shorter expires_in.`,
      more: { excess: { expires_at: expiresAt?.toISOString() ?? null, latest: limit } },
    })
  }
  const excess = findExcess(restrictions, minter.restrictions)
  const [name] = Object.keys(excess) as (keyof Restrictions)[]
  if (name !== undefined)
    throw new Problem('scope_escalation', {
      detail: describeExcess(name, excess[name] ?? null, minter.restrictions!),
      more: { excess: { restrictions: excess } },
    })
}

/** For the error `scope_escalation`, returns what exceeds the calling token, such as `scopes`. Otherwise null. */
export function getExcess(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== 'scope_escalation') return null
  const [excess = null] = Object.keys(error.options.more?.['excess'] ?? {})
  return excess
}

function describeExcess(
  name: keyof Restrictions,
  excess: string | string[] | null,
  { not_before, rate_limit }: Restrictions,
): string {
  if (excess === null) return `The calling token is restricted by ${name}, and the other token is not.`
  switch (name) {
    case 'allowed_ips':
      return `The calling token cannot be used from ${[excess].flat().join(', ')}, so it cannot allow this.`
    case 'not_before':
      return `The calling token is valid from ${not_before}, so it cannot grant an earlier not_before.`
    case 'rate_limit':
      return `The calling token has a rate limit of ${rate_limit}, so it cannot grant a higher one.`
    case 'tags':
      return `The calling token cannot access links with the tags ${[excess].flat().join(', ')}, so it cannot allow this.`
  }
}
