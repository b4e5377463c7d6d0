/** Hashes of token values under TOKEN_PEPPER, and under the previous pepper during a rotation. */
import { Inject, Injectable } from '@nestjs/common'

import { allSettings, SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { getSecretFingerprint } from '../platform/database/sealing.js'
import { isReplacing } from '../platform/database/secret-fingerprints.js'
import type { OwnKeys } from '../platform/database/key-verdict.js'
import type { Queries } from '../platform/database/sealed-columns.js'
import type { Token } from './token.entity.js'
import { hashTokenValue } from './token-value.js'

@Injectable()
export class TokenHashes {
  private readonly pepper: string
  private readonly previousPepper: string | null
  private readonly fingerprints: OwnKeys

  constructor(@Inject(SETTINGS) { tokenPepper, tokenPepperPrevious }: RunningSettings) {
    this.pepper = tokenPepper
    this.previousPepper = tokenPepperPrevious
    this.fingerprints = {
      current: getSecretFingerprint(tokenPepper),
      previous: tokenPepperPrevious === null ? null : getSecretFingerprint(tokenPepperPrevious),
    }
  }

  create(value: string, isRestricted: boolean): Pick<Token, 'hash' | 'pepperFingerprint'> {
    return {
      hash: hashTokenValue(this.pepper, value, isRestricted),
      pepperFingerprint: this.fingerprints.current,
    }
  }

  /** Returns every hash that the value can have, with and without restrictions of the token. */
  listPossible(value: string): Buffer[] {
    const peppers = this.previousPepper === null ? [this.pepper] : [this.pepper, this.previousPepper]
    return peppers.flatMap((pepper) => [
      hashTokenValue(pepper, value, false),
      hashTokenValue(pepper, value, true),
    ])
  }

  /** Returns the columns with the hash under the current pepper, or null if the token has it or must keep its hash. */
  async createReplacement(
    db: Queries,
    value: string,
    token: Token,
  ): Promise<Pick<Token, 'hash' | 'pepperFingerprint'> | null> {
    if (this.previousPepper === null) return null
    const replacement = this.create(value, token.restrictions !== null)
    if (replacement.hash.equals(token.hash)) return null
    const { name } = allSettings.tokenPepper
    // `keys finish --yes` invalidates tokens of the old pepper, so a use before the restart must not keep them valid.
    return (await isReplacing(db, name, this.fingerprints, { evenIfRetired: false })) ? replacement : null
  }
}
