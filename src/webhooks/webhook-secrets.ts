/** Signing secrets: made here or chosen by the caller, sealed in the database, opened only to sign. */
import { randomBytes, timingSafeEqual } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Sealing } from '../platform/database/sealing.js'
import type { Webhook } from './webhook.entity.js'

const madeBytes = 32
const shownCharacters = 4
// Of a shorter secret the last characters would give too much away.
const shortestHinted = 12

export function makeSecret(): string {
  return `whsec_${randomBytes(madeBytes).toString('base64')}`
}

/** How a secret ends, to tell secrets apart by; of a short one nothing. */
export function hintOf(secret: string): string {
  const characters = Array.from(secret)
  return characters.length < shortestHinted ? '…' : `…${characters.slice(-shownCharacters).join('')}`
}

@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealing: Sealing) {}

  /** A new secret for a webhook; one that it had goes on signing beside it until the given time. */
  replace(webhookId: string, secret: string, old: Buffer | null, oldEndsAt: Date | null): StoredSecrets {
    // After a change of ENCRYPTION_KEY the old secret cannot sign any more, and must not block its successor.
    const overlaps =
      old !== null && oldEndsAt !== null && this.isReadable({ id: webhookId, sealedSecret: old })
    return {
      sealedSecret: this.sealing.seal(secret, contextOf(webhookId)),
      secretHint: hintOf(secret),
      sealedOldSecret: overlaps ? old : null,
      oldSecretEndsAt: overlaps ? oldEndsAt : null,
    }
  }

  /** Whether it was sealed under the present ENCRYPTION_KEY. */
  isReadable({ id, sealedSecret }: SealedSecret): boolean {
    try {
      this.sealing.open(sealedSecret, contextOf(id))
      return true
    } catch {
      return false
    }
  }

  isPresent(webhook: SealedSecret, secret: string): boolean {
    if (!this.isReadable(webhook)) return false
    const present = Buffer.from(this.sealing.open(webhook.sealedSecret, contextOf(webhook.id)))
    const given = Buffer.from(secret)
    return present.length === given.length && timingSafeEqual(present, given)
  }

  /** The secrets that sign at this moment, the newest first. */
  signing(
    { id, sealedSecret, sealedOldSecret, oldSecretEndsAt }: SealedSecrets,
    now: Date,
  ): [string, ...string[]] {
    const open = (sealed: Buffer) => this.sealing.open(sealed, contextOf(id))
    const overlaps = sealedOldSecret !== null && oldSecretEndsAt !== null && oldSecretEndsAt > now
    return overlaps ? [open(sealedSecret), open(sealedOldSecret)] : [open(sealedSecret)]
  }
}

type StoredSecrets = Pick<Webhook, 'sealedSecret' | 'secretHint' | 'sealedOldSecret' | 'oldSecretEndsAt'>
type SealedSecret = Pick<Webhook, 'id' | 'sealedSecret'>
type SealedSecrets = Pick<Webhook, 'id' | 'sealedSecret' | 'sealedOldSecret' | 'oldSecretEndsAt'>

function contextOf(webhookId: string): string {
  return `secret of webhook ${webhookId}`
}
