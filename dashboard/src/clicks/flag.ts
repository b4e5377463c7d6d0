/** Flags of countries, as emoji. */
const letterOffset = 0x1f1e6 - 'A'.charCodeAt(0)

/** Returns the flag of a country. Empty for an invalid code, and on systems without flags. */
export function getCountryFlag(country: string | null): string {
  if (country === null || !/^[A-Z]{2}$/.test(country) || !hasFlags()) return ''
  return flagEmoji(country)
}

function flagEmoji(country: string): string {
  return String.fromCodePoint(...Array.from(country, (letter) => letter.charCodeAt(0) + letterOffset))
}

let areFlagsKnown: boolean | null = null

/** A system without flags draws the two letters of a flag next to each other. */
function hasFlags(): boolean {
  areFlagsKnown ??= measureFlag()
  return areFlagsKnown
}

function measureFlag(): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return false
  const flag = flagEmoji('DE')
  const [letter = ''] = flag
  return context.measureText(flag).width < 1.5 * context.measureText(letter).width
}
