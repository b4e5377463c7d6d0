/** Draws QR codes as SVG and on a canvas. Loaded only by the page that shows a QR code. */
import encodeQr from 'qr'

export interface QrDesign {
  text: string
  /** Colors as `#rrggbb`. */
  color: string
  background: string
  /** Width of the border in modules. */
  margin: number
  logo: QrLogo | null
}

/** A logo as a data URL. The longer side of a square that contains it is 1. */
export interface QrLogo {
  url: string
  width: number
  height: number
}

interface Square {
  x: number
  y: number
  width: number
  height: number
}

interface Layout {
  /** Width and height of the image in modules. */
  side: number
  /** Runs of dark modules. */
  runs: Square[]
  logo: { url: string; place: Square } | null
}

/** The side of the logo, as a share of the code. With a border, it covers less than a tenth of the modules. */
const logoShare = 0.24

function createQrLayout({ text, margin, logo }: QrDesign): Layout {
  // The logo hides modules. The level `high` restores up to 30% of them.
  const raw = encodeQr(text, 'raw', { ecc: logo ? 'high' : 'medium', border: 1 })
  // The library adds a border of at least one module.
  const modules = raw.slice(1, -1).map((row) => row.slice(1, -1))
  const size = modules.length
  const logoSide = Math.round(size * logoShare)
  // Whole modules around the logo stay empty.
  const gap = (size - logoSide) / 2 - 1
  const isFree = (x: number, y: number) =>
    logo !== null && Math.min(x, y) >= Math.floor(gap) && Math.max(x, y) < Math.ceil(size - gap)
  const runs = modules.flatMap((row, y) =>
    findDarkRuns(row.map((isDark, x) => isDark && !isFree(x, y))).map(([x, width]) => ({
      x: x + margin,
      y: y + margin,
      width,
      height: 1,
    })),
  )
  const side = size + 2 * margin
  if (!logo) return { side, runs, logo: null }
  const [width, height] = [logo.width * logoSide, logo.height * logoSide]
  return {
    side,
    runs,
    logo: { url: logo.url, place: { x: (side - width) / 2, y: (side - height) / 2, width, height } },
  }
}

/** Returns the runs of dark modules in a row, each as its start and its length. */
function findDarkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}

/** Returns the QR code as SVG. `color` and `background` must be valid colors. */
export function drawSvg(design: QrDesign, size: number): string {
  const { side, runs, logo } = createQrLayout(design)
  const path = runs.map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`).join('')
  const image = logo
    ? `<image href="${logo.url}" x="${logo.place.x}" y="${logo.place.y}" width="${logo.place.width}" height="${logo.place.height}"/>`
    : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="${design.background}" d="M0 0h${side}v${side}H0z"/>` +
    `<path fill="${design.color}" shape-rendering="crispEdges" d="${path}"/>${image}</svg>\n`
  )
}

/** Returns the QR code as PNG. Each module is a whole number of pixels wide; the remaining pixels widen the border. */
export async function drawPng(design: QrDesign, size: number): Promise<Blob> {
  const { side, runs, logo } = createQrLayout(design)
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d')!
  const scale = Math.max(1, Math.floor(size / side))
  const offset = Math.floor((size - side * scale) / 2)
  const toPixels = ({ x, y, width, height }: Square) =>
    [offset + x * scale, offset + y * scale, width * scale, height * scale] as const
  context.fillStyle = design.background
  context.fillRect(0, 0, size, size)
  context.fillStyle = design.color
  for (const run of runs) context.fillRect(...toPixels(run))
  if (logo) context.drawImage(await loadImage(logo.url), ...toPixels(logo.place))
  return canvas.convertToBlob({ type: 'image/png' })
}

const logoPixels = 512

/** Reads a logo from a file, without uploading it. Reduces it to at most 512 pixels. Throws for other files. */
export async function readLogo(file: File): Promise<QrLogo> {
  const image = await loadImage(await readDataUrl(file))
  // An SVG image may have no intrinsic size.
  const [naturalWidth, naturalHeight] = [image.naturalWidth || 1, image.naturalHeight || 1]
  const longer = Math.max(naturalWidth, naturalHeight)
  const [width, height] = [naturalWidth / longer, naturalHeight / longer]
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width * logoPixels)),
    Math.max(1, Math.round(height * logoPixels)),
  )
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return { url: await readDataUrl(await canvas.convertToBlob({ type: 'image/png' })), width, height }
}

async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await image.decode()
  return image
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(new Error('The file could not be read.'))
    reader.readAsDataURL(blob)
  })
}
