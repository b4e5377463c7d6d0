/** Cookie values and sign-in codes: 256 random bits each. The database stores only their keyed hashes. */
import { createHmac, randomBytes } from 'node:crypto'

import { Inject, Injectable } from '@nestjs/common'

import { allSettings, SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { deriveKeys, getSecretFingerprint } from '../platform/database/sealing.js'
import type { DerivedKeys } from '../platform/database/sealing.js'
import { isReplacing } from '../platform/database/secret-fingerprints.js'
import type { OwnKeys } from '../platform/database/key-verdict.js'
import type { Queries } from '../platform/database/sealed-columns.js'

const secretFormat = /^[A-Za-z0-9_-]{43}$/

export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function isSecret(text: string): boolean {
  return secretFormat.test(text)
}

type Purpose = 'session' | 'code' | 'portal session' | 'portal code' | 'address'

export interface StoredHash {
  hash: Buffer
  pepperFingerprint: string
}

@Injectable()
export class SecretHashes {
  private readonly keys: DerivedKeys
  private readonly fingerprints: OwnKeys

  constructor(@Inject(SETTINGS) { tokenPepper, tokenPepperPrevious }: RunningSettings) {
    this.keys = deriveKeys(tokenPepper, tokenPepperPrevious, 'dashboard')
    this.fingerprints = {
      current: getSecretFingerprint(tokenPepper),
      previous: tokenPepperPrevious === null ? null : getSecretFingerprint(tokenPepperPrevious),
    }
  }

  /**
   * Hashes a value. The purpose is part of the hash, so that a code is not accepted as a session, and so that processes
   * of 0.1.0, which run during an update, accept nothing of the portal as a code or session of the dashboard.
   */
  hashSecret(purpose: Purpose, value: string): Buffer {
    return hashWith(this.keys[0], purpose, value)
  }

  /** Returns the columns of a new row. */
  createStored(purpose: Purpose, value: string): StoredHash {
    return { hash: this.hashSecret(purpose, value), pepperFingerprint: this.fingerprints.current }
  }

  /** Returns the hashes that the value can have: two during a rotation of TOKEN_PEPPER. */
  listPossible(purpose: Purpose, value: string): Buffer[] {
    return this.keys.flatMap((key) => (key === undefined ? [] : [hashWith(key, purpose, value)]))
  }

  /** Whether rows with a hash under the previous TOKEN_PEPPER get a new hash: until the rotation is finished. */
  async isReplacing(db: Queries): Promise<boolean> {
    return (
      this.fingerprints.previous !== null &&
      (await isReplacing(db, allSettings.tokenPepper.name, this.fingerprints, { evenIfRetired: false }))
    )
  }
}

function hashWith(key: Buffer, purpose: Purpose, value: string): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${value}`).digest()
}
