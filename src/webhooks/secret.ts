/** Signing secrets as text: made here, or chosen by the caller. */
import { randomBytes } from 'node:crypto'

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
