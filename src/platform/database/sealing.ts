/**
 * Encrypts values that must not be readable in a copy of the database, using AES-256-GCM with a key derived from
 * ENCRYPTION_KEY. The context is authenticated too, so that a sealed value cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** The current key, and the previous one during a rotation. */
export type DerivedKeys = readonly [current: Buffer, previous?: Buffer]

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'link-service', purpose, 32))
}

export function deriveKeys(current: string, previous: string | null, purpose: string): DerivedKeys {
  const key = deriveKey(current, purpose)
  return previous === null ? [key] : [key, deriveKey(previous, purpose)]
}

/** Identifies a secret without revealing it. */
export function getSecretFingerprint(secret: string): string {
  return deriveKey(secret, 'fingerprint').toString('base64url')
}

@Injectable()
export class Sealing {
  private readonly keys: DerivedKeys

  constructor(@Inject(SETTINGS) settings: Pick<RunningSettings, 'encryptionKey' | 'encryptionKeyPrevious'>) {
    this.keys = deriveKeys(settings.encryptionKey, settings.encryptionKeyPrevious, 'sealing')
  }

  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.keys[0], nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), nonce, sealed, cipher.getAuthTag()])
  }

  /** Opens a value that was sealed with the current or the previous key. */
  open(sealed: Buffer, context: string): string {
    const [current, previous] = this.keys
    try {
      return decrypt(current, sealed, context)
    } catch (error) {
      if (previous === undefined) throw error
      return decrypt(previous, sealed, context)
    }
  }

  /** Returns the key that sealed a value. */
  findKey(sealed: Buffer, context: string): 'current' | 'previous' | 'unknown' {
    const [current, previous] = this.keys
    if (canDecrypt(current, sealed, context)) return 'current'
    return previous !== undefined && canDecrypt(previous, sealed, context) ? 'previous' : 'unknown'
  }
}

function decrypt(key: Buffer, sealed: Buffer, context: string): string {
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([
    decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)),
    decipher.final(),
  ]).toString('utf8')
}

function canDecrypt(key: Buffer, sealed: Buffer, context: string): boolean {
  try {
    decrypt(key, sealed, context)
    return true
  } catch {
    return false
  }
}
