/**
 * Signs requests to receivers (Standard Webhooks 1), for deliveries and for tests alike. Secrets are made here or
 * chosen by the caller. They are sealed in the database, and opened only to sign or to compare.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Sealing } from '../platform/database/sealing.js'
import { version } from '../platform/util/version.js'
import type { Webhook } from './webhook.entity.js'

const madeBytes = 32
const shownCharacters = 4
// The last characters of a shorter secret would give too much away.
const shortestHinted = 12

export function makeSecret(): string {
  return `whsec_${randomBytes(madeBytes).toString('base64')}`
}

/** The last characters of a secret, to tell secrets apart. A short secret shows none. */
export function hintOf(secret: string): string {
  const characters = Array.from(secret)
  return characters.length < shortestHinted ? '…' : `…${characters.slice(-shownCharacters).join('')}`
}

@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealing: Sealing) {}

  /** Seals a new secret for a webhook. The old secret signs beside it until `oldEndsAt`. */
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

  /** True when the secret was sealed under the present ENCRYPTION_KEY. */
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

const base64Prefix = 'whsec_'

interface Message {
  /** The event's id, as receivers see it. */
  id: string
  body: string
  attempt: number
  /** Null for a test, which is outside the order. */
  sequence: number | null
}

/** The headers that cannot be computed afterwards. The others follow from the event, the delivery and the attempt. */
type SignatureHeaders = Record<'user-agent' | 'webhook-timestamp' | 'webhook-signature', string>

export function headersOf(
  message: Message,
  keys: readonly Buffer[],
  now: Date,
): Record<string, string> & SignatureHeaders {
  const timestamp = Math.floor(now.getTime() / 1000)
  return allHeaders(message, {
    'user-agent': `link-service/${version}`,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, message.id, timestamp, message.body),
  })
}

/** The text that is stored with each attempt: about 150 bytes, and 50 more while two secrets sign. */
export function storedHeaders(headers: SignatureHeaders): string {
  const kept: SignatureHeaders = {
    'user-agent': headers['user-agent'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  }
  return JSON.stringify(kept)
}

/** All headers that were sent, made from the stored ones. */
export function sentHeaders(stored: string, message: Omit<Message, 'body'>): Record<string, string> {
  return allHeaders(message, JSON.parse(stored) as SignatureHeaders)
}

function allHeaders({ id, attempt, sequence }: Omit<Message, 'body'>, kept: SignatureHeaders) {
  return {
    'content-type': 'application/json',
    'user-agent': kept['user-agent'],
    'webhook-id': id,
    'webhook-timestamp': kept['webhook-timestamp'],
    'webhook-signature': kept['webhook-signature'],
    'webhook-attempt': String(attempt),
    ...(sequence === null ? {} : { 'webhook-sequence': String(sequence) }),
  }
}

/** `whsec_` and valid base64 stand for the decoded bytes. Any other secret is a key by its own UTF-8 bytes. */
export function keyOf(secret: string): Buffer {
  if (secret.startsWith(base64Prefix)) {
    const encoded = secret.slice(base64Prefix.length)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length > 0 && bytes.toString('base64') === encoded) return bytes
  }
  return Buffer.from(secret, 'utf8')
}

/** HMAC-SHA-256 of `id.timestamp.body`: one signature for each key, the newest first. */
export function signatures(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
}
