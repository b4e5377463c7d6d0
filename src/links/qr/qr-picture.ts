/** Draws QR codes. A library computes the modules, and this file writes them as SVG or PNG. */
import { crc32, deflateSync } from 'node:zlib'

import encodeQR from 'qr'

export const qrLevels = ['L', 'M', 'Q', 'H'] as const
export const qrFormats = ['svg', 'png'] as const

export interface QrOrder {
  text: string
  format: (typeof qrFormats)[number]
  /** The length of a side, in pixels. */
  size: number
  /** The white border on each side, in modules. */
  margin: number
  level: (typeof qrLevels)[number]
}

/** The picture, or the least size at which each module has a pixel. */
export type QrPicture = { bytes: Uint8Array } | { leastSize: number }

const corrections = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const

export function pictureOf({ text, format, size, margin, level }: QrOrder): QrPicture {
  // The library draws a margin of at least one module, which is cut off here.
  const modules = encodeQR(text, 'raw', { ecc: corrections[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))
  const side = modules.length + 2 * margin
  if (side > size) return { leastSize: side }
  return { bytes: format === 'svg' ? svgOf(modules, margin, size) : pngOf(modules, side, size) }
}

function svgOf(modules: boolean[][], margin: number, size: number): Uint8Array {
  const side = modules.length + 2 * margin
  const path = modules.flatMap((row, y) =>
    runsOf(row).map(([x, n]) => `M${x + margin} ${y + margin}h${n}v1h-${n}z`),
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>\n`,
  )
}

/** Each run of dark modules in a row: where it begins, and its length. */
function runsOf(row: boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}

/** One bit for each pixel. A module is a whole number of pixels wide; the remaining pixels widen the margin. */
function pngOf(modules: boolean[][], side: number, size: number): Uint8Array {
  const scale = Math.floor(size / side)
  const offset = Math.floor((size - modules.length * scale) / 2)
  const rowBytes = 1 + Math.ceil(size / 8)
  const pixels = Buffer.alloc(rowBytes * size, 0xff)
  for (let y = 0; y < size; y++) {
    const start = y * rowBytes
    // The filter of the row: none.
    pixels[start] = 0
    const row = modules[Math.floor((y - offset) / scale)]
    if (!row) continue
    for (const [x, n] of runsOf(row))
      for (let at = offset + x * scale; at < offset + (x + n) * scale; at++)
        pixels[start + 1 + (at >> 3)]! &= ~(0x80 >> (at & 7))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
