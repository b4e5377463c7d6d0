/** Imports pasted URLs or a file, after a preview. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { getImport, listFailedLines, startImport } from '../../api/many-links.js'
import type { Import, OnConflict } from '../../api/many-links.js'
import { formatNumber, plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { CancelButton, Dialog, useUnmountSignal } from '../../components/dialog.js'
import { Field, FormError, useAction } from '../../components/form.js'
import { ImportPreview, maxFailures } from './import-preview.js'
import type { PreviewedImport } from './import-preview.js'

const pollMs = 400

/** A finished dry run and its input, which the user may have changed since. */
interface DryRun {
  text: string
  onConflict: OnConflict
  previewed: PreviewedImport
}

interface ImportLinksProps {
  onImported: () => void
  onClose: () => void
}

export function ImportLinks({ onImported, onClose }: ImportLinksProps) {
  const [text, setText] = useState('')
  const [onConflict, setOnConflict] = useState<OnConflict>('skip')
  const [dryRun, setDryRun] = useState<DryRun | null>(null)
  const [progress, setProgress] = useState<Import | null>(null)
  const [isDragging, setIsDragging] = useState(false)
  const importing = useAction()
  const unmounted = useUnmountSignal()
  const preview = dryRun?.text === text && dryRun.onConflict === onConflict ? dryRun.previewed : null

  const changeText = (next: string) => {
    setText(next)
    importing.clear()
  }
  const readFile = (file: File | undefined) => {
    if (file) importing.run(async () => changeText(await file.text()))
  }
  const runImport = (isDryRun: boolean) =>
    importing.run(async () => {
      const { format, content, addedLines } = contentOf(text)
      setProgress(null)
      const started = await startImport(format, content, onConflict, isDryRun).catch((error: unknown) => {
        if (error instanceof NotFoundError)
          throw new Error('This version of the service does not support imports. Update the service.')
        throw error
      })
      const ended = await waitForEnd(started, unmounted, setProgress)
      if (ended.status === 'failed') throw new Error(ended.error ?? 'The import failed.')
      if (isDryRun) {
        const failures = ended.failed > 0 ? await listFailedLines(ended.id, maxFailures, unmounted) : []
        return setDryRun({ text, onConflict, previewed: { ended, failures, addedLines } })
      }
      showNotice(`Imported: ${summaryOf(ended)}.`)
      onImported()
      if (unmounted.aborted) return
      onClose()
      navigate('/links')
    })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragging(false)
    readFile(event.dataTransfer?.files[0])
  }
  return (
    <Dialog title="Import links" wide onClose={onClose} isChanged={!importing.isBusy && text.trim() !== ''}>
      <div
        class={`stack ${isDragging ? 'callout' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragging(true)
        }}
        onDragLeave={() => setIsDragging(false)}
        onDrop={drop}
      >
        <Field
          label="Links to import"
          hint="One URL per line, CSV with a header row, or NDJSON. Fields: url, slug, title, tags. You can also drop a file here."
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={preview ? 4 : 9}
              data-first=""
              spellcheck={false}
              value={text}
              placeholder={'https://example.com/spring\nhttps://example.com/summer'}
              onInput={(event) => changeText(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="columns">
          <Field label="File">
            {(ids) => (
              <input
                {...ids}
                type="file"
                accept=".csv,.ndjson,.jsonl,text/csv"
                onChange={(event) => readFile(event.currentTarget.files?.[0])}
              />
            )}
          </Field>
          <Field label="Existing links" hint="Matched by slug or external ID.">
            {(ids) => (
              <select
                {...ids}
                value={onConflict}
                onChange={(event) => setOnConflict(event.currentTarget.value as OnConflict)}
              >
                <option value="skip">Skip the line</option>
                <option value="update">Update the link</option>
                <option value="fail">Report an error</option>
              </select>
            )}
          </Field>
        </div>
        {preview && <ImportPreview {...preview} />}
        {importing.isBusy && progress && <Progress progress={progress} />}
        <FormError error={importing.error} />
        <div class="row end">
          <CancelButton />
          <button
            type="button"
            class={preview ? '' : 'primary'}
            disabled={importing.isBusy || text.trim() === ''}
            onClick={() => runImport(true)}
          >
            Preview import
          </button>
          <button
            type="button"
            class={preview ? 'primary' : ''}
            disabled={importing.isBusy || !preview}
            onClick={() => runImport(false)}
          >
            {preview ? `Import ${plural(preview.ended.lines - preview.ended.failed, 'line')}` : 'Import'}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Progress({ progress: { bytes, bytes_processed, lines } }: { progress: Import }) {
  return (
    <div class="row small-text muted">
      <progress aria-label="Progress" max={bytes} value={bytes_processed} />
      {plural(lines, 'line')} processed
    </div>
  )
}

function summaryOf({ created, updated, skipped, failed }: Import): string {
  return [
    `${formatNumber(created)} new`,
    `${formatNumber(updated)} updated`,
    `${formatNumber(skipped)} skipped`,
    `${formatNumber(failed)} failed`,
  ].join(', ')
}

interface Content {
  format: 'csv' | 'ndjson'
  content: string
  /** Number of lines before the first line of the user. */
  addedLines: number
}

/** Converts plain URLs to CSV with one column. */
function contentOf(text: string): Content {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return { format: 'ndjson', content: trimmed, addedLines: 0 }
  const first = trimmed.split('\n', 1)[0] ?? ''
  if (!/^https?:\/\//i.test(first)) return { format: 'csv', content: trimmed, addedLines: 0 }
  const lines = trimmed.split('\n').map((line) => `"${line.trim().replaceAll('"', '""')}"`)
  return { format: 'csv', content: ['url', ...lines].join('\n'), addedLines: 1 }
}

async function waitForEnd(
  started: Import,
  signal: AbortSignal,
  onProgress: (current: Import) => void,
): Promise<Import> {
  let current = started
  while (current.status === 'waiting' || current.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    current = await getImport(current.id, signal)
    onProgress(current)
  }
  return current
}
