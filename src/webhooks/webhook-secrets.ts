import { timingSafeEqual } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Sealing } from '../platform/database/sealing.js'
import { hintOf } from './secret.js'
import type { Webhook } from './webhook.entity.js'

/** Secrets leave the database only to sign. */
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
