/**
 * Signs requests to receivers (Standard Webhooks 1). Secrets are generated, or chosen by the caller. They are stored
 * sealed, and opened only to sign or to compare.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { Injectable } from '@nestjs/common'

import { Sealing } from '../platform/database/sealing.js'
import { version } from '../platform/util/version.js'
import type { Webhook } from './webhook.entity.js'

const generatedBytes = 32
const shownCharacters = 4
// The last characters of a shorter secret would reveal too much of it.
const shortestHinted = 12

export function makeSecret(): string {
  return `whsec_${randomBytes(generatedBytes).toString('base64')}`
}

/** Returns the last characters of a secret, to tell secrets apart. A short secret shows none. */
export function hintOf(secret: string): string {
  const characters = Array.from(secret)
  return characters.length < shortestHinted ? '…' : `…${characters.slice(-shownCharacters).join('')}`
}

@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealing: Sealing) {}

  /** Seals a new secret for a webhook. The old secret also signs until `oldEndsAt`. */
  replace(webhookId: string, secret: string, old: Buffer | null, oldEndsAt: Date | null): StoredSecrets {
    // After a change of ENCRYPTION_KEY, the old secret cannot sign anymore, and must not prevent its replacement.
    const overlaps =
      old !== null && oldEndsAt !== null && this.isReadable({ id: webhookId, sealedSecret: old })
    return {
      sealedSecret: this.sealing.seal(secret, contextOf(webhookId)),
      secretHint: hintOf(secret),
      sealedOldSecret: overlaps ? old : null,
      oldSecretEndsAt: overlaps ? oldEndsAt : null,
    }
  }

  /** Returns whether the secret was sealed with the current ENCRYPTION_KEY. */
  isReadable({ id, sealedSecret }: SealedSecret): boolean {
    try {
      this.sealing.open(sealedSecret, contextOf(id))
      return true
    } catch {
      return false
    }
  }

  /** Returns whether this is the current secret of the webhook. */
  isPresent(webhook: SealedSecret, secret: string): boolean {
    if (!this.isReadable(webhook)) return false
    const current = Buffer.from(this.sealing.open(webhook.sealedSecret, contextOf(webhook.id)))
    const other = Buffer.from(secret)
    return current.length === other.length && timingSafeEqual(current, other)
  }

  /** Returns the secrets to sign with, newest first. */
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
  /** Public ID of the event. */
  id: string
  body: string
  attempt: number
  /** Null for a test, which has no sequence number. */
  sequence: number | null
}

/** The headers to store. All others can be derived from the event, the delivery and the attempt. */
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

/** Returns the headers to store with an attempt: about 150 bytes, and 50 more while two secrets sign. */
export function storedHeaders(headers: SignatureHeaders): string {
  const stored: SignatureHeaders = {
    'user-agent': headers['user-agent'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  }
  return JSON.stringify(stored)
}

/** Restores all sent headers from the stored ones. */
export function sentHeaders(stored: string, message: Omit<Message, 'body'>): Record<string, string> {
  return allHeaders(message, JSON.parse(stored) as SignatureHeaders)
}

function allHeaders({ id, attempt, sequence }: Omit<Message, 'body'>, signature: SignatureHeaders) {
  return {
    'content-type': 'application/json',
    'user-agent': signature['user-agent'],
    'webhook-id': id,
    'webhook-timestamp': signature['webhook-timestamp'],
    'webhook-signature': signature['webhook-signature'],
    'webhook-attempt': String(attempt),
    ...(sequence === null ? {} : { 'webhook-sequence': String(sequence) }),
  }
}

/** Returns the key of a secret: the decoded bytes after `whsec_`, or the UTF-8 bytes of any other secret. */
export function keyOf(secret: string): Buffer {
  if (secret.startsWith(base64Prefix)) {
    const encoded = secret.slice(base64Prefix.length)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length > 0 && bytes.toString('base64') === encoded) return bytes
  }
  return Buffer.from(secret, 'utf8')
}

/** Returns the HMAC-SHA-256 of `id.timestamp.body` for each key, in the order of the keys. */
export function signatures(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
}
