/** Renders QR codes as SVG or PNG. */
import { crc32, deflateSync } from 'node:zlib'

import encodeQR from 'qr'

export const qrLevels = ['L', 'M', 'Q', 'H'] as const
export const qrFormats = ['svg', 'png'] as const

export interface QrOptions {
  text: string
  format: (typeof qrFormats)[number]
  /** Width and height in pixels. */
  size: number
  /** Width of the white border in modules. */
  margin: number
  level: (typeof qrLevels)[number]
}

/** The image, or the minimum size at which each module has at least one pixel. */
export type QrImage = { bytes: Uint8Array } | { minSize: number }

const corrections = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const

export function renderQr({ text, format, size, margin, level }: QrOptions): QrImage {
  // Removes the margin, which is at least one module in the library.
  const modules = encodeQR(text, 'raw', { ecc: corrections[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))
  const side = modules.length + 2 * margin
  if (side > size) return { minSize: side }
  return { bytes: format === 'svg' ? renderSvg(modules, margin, size) : renderPng(modules, side, size) }
}

function renderSvg(modules: boolean[][], margin: number, size: number): Uint8Array {
  const side = modules.length + 2 * margin
  const path = modules.flatMap((row, y) =>
    findDarkRuns(row).map(([x, n]) => `M${x + margin} ${y + margin}h${n}v1h-${n}z`),
  )
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>\n`,
  )
}

/** Returns the runs of dark modules in a row, each as its start and its length. */
function findDarkRuns(row: boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}

/** Writes one bit per pixel. Each module is a whole number of pixels wide; the remaining pixels widen the margin. */
function renderPng(modules: boolean[][], side: number, size: number): Uint8Array {
  const scale = Math.floor(size / side)
  const offset = Math.floor((size - modules.length * scale) / 2)
  const rowBytes = 1 + Math.ceil(size / 8)
  const pixels = Buffer.alloc(rowBytes * size, 0xff)
  for (let y = 0; y < size; y++) {
    const start = y * rowBytes
    // Filter type of the row: none.
    pixels[start] = 0
    const row = modules[Math.floor((y - offset) / scale)]
    if (!row) continue
    for (const [x, n] of findDarkRuns(row))
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
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(content.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  content.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(content), content.length + 4)
  return chunk
}
