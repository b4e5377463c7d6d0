/** The QR code of a link, with its design and downloads. Everything is drawn in the browser. */
import type { Link } from '@link-service/client'
import { useEffect, useRef, useState } from 'preact/hooks'

import { plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { Field, FormError, useAction } from '../../components/form.js'
import { scanWarning } from './qr-contrast.js'
import type * as qrImage from './qr-image.js'
import type { QrDesign } from './qr-image.js'

type Drawing = typeof qrImage

const sizes = [256, 512, 1024, 2048]
const margins = [0, 1, 2, 4, 8]
const recommendedMargin = 4
const maxLogoBytes = 1024 * 1024
const plain: Omit<QrDesign, 'text'> = {
  color: '#000000',
  background: '#ffffff',
  margin: recommendedMargin,
  logo: null,
}

export function QrCode({ link }: { link: Link }) {
  const { drawing, hasFailed } = useDrawing()
  const [design, setDesign] = useState(plain)
  const [size, setSize] = useState(1024)
  const working = useAction()
  if (hasFailed) return <p class="muted">The QR code could not be loaded. Reload the page.</p>
  if (!drawing) return <div class="bone qr" role="status" aria-label="Loading" />

  // The service records visits with this parameter as scans.
  const whole: QrDesign = { ...design, text: `${link.short_url}?qr=1` }
  const change = (changes: Partial<typeof plain>) => setDesign({ ...design, ...changes })
  const saveSvg = () =>
    saveFile(new Blob([drawing.drawSvg(whole, size)], { type: 'image/svg+xml' }), `${link.slug}.svg`)
  const savePng = () =>
    working.run(async () => saveFile(await drawing.drawPng(whole, size), `${link.slug}.png`))
  const copyImage = () =>
    working.run(async () => {
      // The clipboard is only available over HTTPS and on localhost.
      await navigator.clipboard
        .write([new ClipboardItem({ 'image/png': drawing.drawPng(whole, size) })])
        .catch(() => {
          throw new Error('The browser did not allow copying. Download the image instead.')
        })
      showNotice('Copied the QR code.')
    })
  return (
    <div class="qr-designer">
      <div class="stack">
        <img
          class="qr"
          src={`data:image/svg+xml,${encodeURIComponent(drawing.drawSvg(whole, sizes[0]!))}`}
          alt={`QR code of ${link.short_url}`}
        />
        <p class="muted small-text">Scans are counted with the source “QR code”.</p>
      </div>
      <div class="stack grow">
        <Field label="Size">
          {(ids) => (
            <select
              {...ids}
              value={String(size)}
              onChange={(event) => setSize(Number(event.currentTarget.value))}
            >
              {sizes.map((each) => (
                <option key={each} value={String(each)}>
                  {each} × {each} pixels
                </option>
              ))}
            </select>
          )}
        </Field>
        <FormError error={working.error} />
        <div class="qr-buttons">
          <button type="button" onClick={saveSvg}>
            Download SVG
          </button>
          <button type="button" disabled={working.isBusy} onClick={savePng}>
            Download PNG
          </button>
          <button type="button" disabled={working.isBusy} onClick={copyImage}>
            Copy image
          </button>
        </div>
        <details class="more-options">
          <summary>Design</summary>
          <div class="stack">
            <DesignFields design={design} drawing={drawing} onChange={change} />
          </div>
        </details>
      </div>
    </div>
  )
}

interface DesignFieldsProps {
  design: typeof plain
  drawing: Drawing
  onChange: (changes: Partial<typeof plain>) => void
}

function DesignFields({ design: { color, background, margin, logo }, drawing, onChange }: DesignFieldsProps) {
  const warning = scanWarning(color, background)
  return (
    <>
      <div class="qr-colors">
        <ColorField label="Color" value={color} onInput={(value) => onChange({ color: value })} />
        <ColorField
          label="Background"
          value={background}
          onInput={(value) => onChange({ background: value })}
        />
      </div>
      {warning !== null && (
        <p class="callout warn small-text" role="status">
          {warning}
        </p>
      )}
      <Field
        label="Margin"
        hint={margin < recommendedMargin ? 'Scanners expect at least 4 modules.' : undefined}
      >
        {(ids) => (
          <select
            {...ids}
            value={String(margin)}
            onChange={(event) => onChange({ margin: Number(event.currentTarget.value) })}
          >
            {margins.map((each) => (
              <option key={each} value={String(each)}>
                {formatMargin(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <LogoField hasLogo={logo !== null} drawing={drawing} onPick={(picked) => onChange({ logo: picked })} />
    </>
  )
}

function formatMargin(modules: number): string {
  if (modules === 0) return 'None'
  const width = plural(modules, 'module')
  return modules === recommendedMargin ? `Standard (${width})` : width
}

function ColorField({
  label,
  value,
  onInput,
}: {
  label: string
  value: string
  onInput: (value: string) => void
}) {
  return (
    <Field label={label}>
      {(ids) => (
        <span class="row">
          <input
            {...ids}
            type="color"
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <code>{value}</code>
        </span>
      )}
    </Field>
  )
}

interface LogoFieldProps {
  hasLogo: boolean
  drawing: Drawing
  onPick: (logo: QrDesign['logo']) => void
}

function LogoField({ hasLogo, drawing, onPick }: LogoFieldProps) {
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const pick = async (file: File | undefined) => {
    if (!file) return
    setError(null)
    if (file.size > maxLogoBytes) return setError('The file is larger than 1 MiB. Choose a smaller one.')
    await drawing
      .readLogo(file)
      .then(onPick, () =>
        setError(
          'This file is not an image that the browser can show. Choose a PNG, JPEG, SVG or WebP file.',
        ),
      )
  }
  const remove = () => {
    if (input.current) input.current.value = ''
    input.current?.focus()
    onPick(null)
  }
  return (
    <Field
      label="Logo"
      error={error}
      hint={
        hasLogo
          ? 'Error correction is high, because the logo covers part of the code.'
          : 'Stays in your browser. At most 1 MiB.'
      }
    >
      {(ids) => (
        <span class="row wrap">
          <input
            {...ids}
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/svg+xml,image/webp"
            onChange={(event) => void pick(event.currentTarget.files?.[0])}
          />
          {hasLogo && (
            <button type="button" onClick={remove}>
              Remove logo
            </button>
          )}
        </span>
      )}
    </Field>
  )
}

/** Loads the code that draws QR codes, which few pages need. */
function useDrawing(): { drawing: Drawing | null; hasFailed: boolean } {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    import('./qr-image.js').then(setDrawing, () => setFailed(true))
  }, [])
  return { drawing, hasFailed }
}

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // By then, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
