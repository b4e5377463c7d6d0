/** Whether scanners can tell the two colors of a QR code apart. */

/** The minimum contrast of graphics in WCAG 2. */
const minContrast = 3

/** Returns why scanners may not read a code with these colors, or null if they can. Colors are `#rrggbb`. */
export function scanWarning(color: string, background: string): string | null {
  const [dark, light] = [getLuminance(color), getLuminance(background)]
  if ((Math.max(dark, light) + 0.05) / (Math.min(dark, light) + 0.05) < minContrast)
    return 'The contrast is too low to scan. Choose a darker color or a lighter background.'
  if (dark > light) return 'Many scanners cannot read a light code on a dark background. Swap the colors.'
  return null
}

/** The relative luminance in WCAG 2, from 0 to 1. */
function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
