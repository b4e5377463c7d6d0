/**
 * The value of a token: `lsk_live_` or `lsk_test_`, 43 characters that encode 256 random bits, and 6 characters of
 * CRC-32. The checksum rejects typos without a lookup, and lets secret scanners confirm a match.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 43
const checksumDigits = 6
const shape = new RegExp(`^lsk_(?:live|test)_[0-9A-Za-z]{${randomDigits + checksumDigits}}$`)

export function createTokenValue(environment: KeyEnvironment): string {
  const body = `lsk_${environment}_${toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits)}`
  return body + computeChecksum(body)
}

/** Checks the format and the checksum, not whether such a token exists. */
export function isTokenValue(text: string): boolean {
  return shape.test(text) && computeChecksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

/**
 * Hashes a value. A restricted token has another hash, so that processes of 0.1.0, which ignore restrictions and run
 * during an update, do not accept the token.
 */
export function hashTokenValue(pepper: string, value: string, isRestricted: boolean): Buffer {
  return createHmac('sha256', pepper)
    .update(isRestricted ? `restricted ${value}` : value)
    .digest()
}

/** Returns the parts of a value that may be shown after its creation. */
export function getShownParts(value: string): { prefix: string; last4: string } {
  return { prefix: value.slice(0, value.lastIndexOf('_') + 1), last4: value.slice(-4) }
}

function computeChecksum(body: string): string {
  return toBase62(BigInt(crc32(body)), checksumDigits)
}

function toBase62(value: bigint, digits: number): string {
  let text = ''
  for (let remaining = value; text.length < digits; remaining /= 62n)
    text = alphabet.charAt(Number(remaining % 62n)) + text
  return text
}
