/** Standard Webhooks, version 1: HMAC-SHA-256 of `id.timestamp.body`. */
import { createHmac } from 'node:crypto'

const base64Prefix = 'whsec_'

/** `whsec_` and valid base64 stand for those bytes; anything else is a key by its own UTF-8 bytes. */
export function keyOf(secret: string): Buffer {
  if (secret.startsWith(base64Prefix)) {
    const encoded = secret.slice(base64Prefix.length)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length > 0 && bytes.toString('base64') === encoded) return bytes
  }
  return Buffer.from(secret, 'utf8')
}

/** One signature for each key, the newest first. */
export function signatures(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
}
