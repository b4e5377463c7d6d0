/** Cookie values and sign-in codes: 256 random bits each. The database stores only their keyed hashes. */
import { createHmac, randomBytes } from 'node:crypto'

import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { deriveKey } from '../platform/database/sealing.js'

const secretFormat = /^[A-Za-z0-9_-]{43}$/

export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function isSecret(text: string): boolean {
  return secretFormat.test(text)
}

@Injectable()
export class SecretHashes {
  private readonly key: Buffer

  constructor(@Inject(SETTINGS) { tokenPepper }: RunningSettings) {
    this.key = deriveKey(tokenPepper, 'dashboard')
  }

  /**
   * Hashes a value. The purpose is part of the hash, so that a code is not accepted as a session, and so that processes
   * of 0.1.0, which run during an update, accept nothing of the portal as a code or session of the dashboard.
   */
  hashSecret(
    purpose: 'session' | 'code' | 'portal session' | 'portal code' | 'address',
    value: string,
  ): Buffer {
    return createHmac('sha256', this.key).update(`${purpose} ${value}`).digest()
  }
}
