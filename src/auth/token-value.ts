/**
 * `lsk_live_` + 43 characters of 256 random bits + 6 of CRC-32. The checksum lets a typing error or a forgery be refused
 * without a look-up, and lets scanners of leaked secrets be sure of what they found.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 43
const checksumDigits = 6
const shape = new RegExp(`^lsk_(?:live|test)_[0-9A-Za-z]{${randomDigits + checksumDigits}}$`)

export function makeTokenValue(environment: KeyEnvironment): string {
  const body = `lsk_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits)}`
  return body + checksumOf(body)
}

/** Right form and right checksum; says nothing about whether it was ever given out. */
export function isTokenValue(text: string): boolean {
  return shape.test(text) && checksumOf(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

export function hashTokenValue(pepper: string, value: string): Buffer {
  return createHmac('sha256', pepper).update(value).digest()
}

/** What may be shown of a value for ever. */
export function shownPartsOf(value: string): { prefix: string; last4: string } {
  return { prefix: value.slice(0, value.lastIndexOf('_') + 1), last4: value.slice(-4) }
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits)
}

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}
