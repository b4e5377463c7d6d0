import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { timeOf } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import { missingFrom } from './scopes.js'
import type { Scope } from './scopes.js'
import { Token } from './token.entity.js'
import { hashTokenValue, makeTokenValue, shownPartsOf } from './caller.js'

/** The most that a token may give to another one. */
export interface Reach {
  scopes: readonly Scope[]
  expiresAt: Date | null
}

interface Mint {
  id: string
  workspaceId: string
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  createdBy: string | null
  rotatedFrom: string | null
}

const toleratedExcessMs = 60_000

@Injectable()
export class TokenMinter {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Makes a token and its value. Only here do both exist together: the record keeps a hash. */
  make({ scopes, ...mint }: Mint): { token: Token; value: string } {
    const value = makeTokenValue(this.settings.keyEnvironment)
    const token = Object.assign(new Token(), mint, shownPartsOf(value), {
      scopes: [...scopes],
      hash: hashTokenValue(this.settings.tokenPepper, value),
      createdAt: timeOf(mint.id),
      revokedAt: null,
      lastUsedAt: null,
      usedScopes: [],
      scopesWatchedSince: timeOf(mint.id),
    })
    return { token, value }
  }
}

/**
 * The end of a token whose life was given as a duration. A token of one hour may mint one of "1h", although some of its
 * own hour has passed. So an end that is less than a minute too late becomes the minter's end.
 */
export function endWithin({ expiresAt: latest }: Reach, wanted: Date): Date {
  const excessMs = latest ? wanted.getTime() - latest.getTime() : 0
  return latest && excessMs > 0 && excessMs < toleratedExcessMs ? latest : wanted
}

/** Refuses to mint a token that may do more, or lives longer, than its minter. */
export function requireWithin(minter: Reach, scopes: readonly Scope[], expiresAt: Date | null): void {
  const excessScopes = missingFrom(minter.scopes, scopes)
  if (excessScopes.length > 0)
    throw new Problem('scope_escalation', {
      detail: `The calling token does not have ${excessScopes.join(', ')}, so it cannot give them.`,
      more: { excess: { scopes: excessScopes } },
    })
  if (minter.expiresAt && (!expiresAt || expiresAt > minter.expiresAt)) {
    const limit = minter.expiresAt.toISOString()
    throw new Problem('scope_escalation', {
      detail: `The calling token expires at ${limit}. Give an expires_in that ends no later.`,
      more: { excess: { expires_at: expiresAt?.toISOString() ?? null, latest: limit } },
    })
  }
}
