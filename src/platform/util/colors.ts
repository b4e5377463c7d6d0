/** Contrast of colors, and an accent color for the light and the dark color scheme. */

/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number]

/** An accent color for each color scheme, as `#rrggbb`. */
export interface Accent {
  light: string
  dark: string
}

/** The accent of the pages without the setting ACCENT. The same colors are in dashboard/src/styles/base.css. */
export const defaultAccent: Accent = { light: '#3550c9', dark: '#93a7ff' }

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
/** The backgrounds of each scheme on which text in the accent color is hardest to read. */
const lightBackground: Rgb = [243, 243, 240]
const darkBackground: Rgb = [31, 34, 38]
/** The share of the accent in the background of a highlighted row or badge. */
const highlight = 0.13
/** The minimum contrast of text in WCAG 2, level AA. */
const minContrast = 4.5
const steps = 50

/** Returns the color as `#rrggbb`, or null if the text is not a color like `#3550c9` or `#35c`. */
export function parseColor(text: string): string | null {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? []
  if (digits === undefined) return null
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  return `#${long.toLowerCase()}`
}

/** Darkens the color for the light scheme and lightens it for the dark one until text is legible. */
export function accentFor(color: string): Accent {
  return {
    light: legible(parseRgb(color), lightBackground, black),
    dark: legible(parseRgb(color), darkBackground, white),
  }
}

export function getContrast(a: string, b: string): number {
  return contrast(parseRgb(a), parseRgb(b))
}

/** Mixes the color with another one until text in that color is legible, even on a highlighted background. */
function legible(color: Rgb, background: Rgb, towards: Rgb): string {
  for (let step = 0; step < steps; step++) {
    const mixed = mix(color, towards, step / steps)
    if (contrast(mixed, mix(background, mixed, highlight)) >= minContrast) return formatHex(mixed)
  }
  return formatHex(towards)
}

/** `share` is the share of the second color. */
function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(a[index] * (1 - share) + b[index] * share)
  return [part(0), part(1), part(2)]
}

function contrast(a: Rgb, b: Rgb): number {
  const [darker, brighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (brighter + 0.05) / (darker + 0.05)
}

/** The relative luminance of WCAG 2. */
function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function parseRgb(color: string): Rgb {
  const part = (at: number) => parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function formatHex(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
