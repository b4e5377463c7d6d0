/** Secrets of webhooks: generated, or chosen by the caller. Stored sealed, and opened only to sign or to compare. */
import { randomBytes, timingSafeEqual } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { getWebhookSecretContext } from '../platform/database/sealed-columns.js'
import { Sealing } from '../platform/database/sealing.js'
import type { Webhook } from './webhook.entity.js'

const generatedBytes = 32
const shownCharacters = 4
// The last characters of a shorter secret would reveal too much of it.
const minLengthForHint = 12

export function generateSecret(): string {
  return `whsec_${randomBytes(generatedBytes).toString('base64')}`
}

/** Returns the last characters of a secret, so that users can distinguish secrets. Empty for a short secret. */
export function getSecretHint(secret: string): string {
  const characters = Array.from(secret)
  return characters.length < minLengthForHint ? '…' : `…${characters.slice(-shownCharacters).join('')}`
}

@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealing: Sealing) {}

  /** Seals a new secret for a webhook. The old secret also signs until `oldEndsAt`. */
  replace(webhookId: string, secret: string, old: Buffer | null, oldEndsAt: Date | null): StoredSecrets {
    // After ENCRYPTION_KEY was changed, the old secret cannot sign anymore, and must not prevent its replacement.
    const overlaps =
      old !== null && oldEndsAt !== null && this.isReadable({ id: webhookId, sealedSecret: old })
    return {
      sealedSecret: this.sealing.seal(secret, getWebhookSecretContext(webhookId)),
      secretHint: getSecretHint(secret),
      sealedOldSecret: overlaps ? old : null,
      oldSecretEndsAt: overlaps ? oldEndsAt : null,
    }
  }

  /** Returns whether the secret was sealed with an accepted ENCRYPTION_KEY. */
  isReadable({ id, sealedSecret }: SealedSecret): boolean {
    try {
      this.sealing.open(sealedSecret, getWebhookSecretContext(id))
      return true
    } catch {
      return false
    }
  }

  /** Returns whether this is the current secret of the webhook. */
  isPresent(webhook: SealedSecret, secret: string): boolean {
    if (!this.isReadable(webhook)) return false
    const current = Buffer.from(this.sealing.open(webhook.sealedSecret, getWebhookSecretContext(webhook.id)))
    const other = Buffer.from(secret)
    return current.length === other.length && timingSafeEqual(current, other)
  }

  /** Returns the secrets to sign with, newest first. */
  signing(
    { id, sealedSecret, sealedOldSecret, oldSecretEndsAt }: SealedSecrets,
    now: Date,
  ): [string, ...string[]] {
    const open = (sealed: Buffer) => this.sealing.open(sealed, getWebhookSecretContext(id))
    const overlaps = sealedOldSecret !== null && oldSecretEndsAt !== null && oldSecretEndsAt > now
    return overlaps ? [open(sealedSecret), open(sealedOldSecret)] : [open(sealedSecret)]
  }
}

type StoredSecrets = Pick<Webhook, 'sealedSecret' | 'secretHint' | 'sealedOldSecret' | 'oldSecretEndsAt'>
type SealedSecret = Pick<Webhook, 'id' | 'sealedSecret'>
type SealedSecrets = Pick<Webhook, 'id' | 'sealedSecret' | 'sealedOldSecret' | 'oldSecretEndsAt'>
