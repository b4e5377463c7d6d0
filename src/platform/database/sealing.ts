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

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'link-service', purpose, 32))
}

@Injectable()
export class Sealing {
  private readonly key: Buffer

  constructor(@Inject(SETTINGS) settings: RunningSettings) {
    this.key = deriveKey(settings.encryptionKey, 'sealing')
  }

  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), nonce, sealed, cipher.getAuthTag()])
  }

  open(sealed: Buffer, context: string): string {
    const nonce = sealed.subarray(1, 1 + nonceBytes)
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce)
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([
      decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)),
      decipher.final(),
    ]).toString('utf8')
  }
}
