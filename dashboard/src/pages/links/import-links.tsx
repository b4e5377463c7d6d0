/** Imports pasted URLs or a file, after a preview. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'

import { getImport, listFailedLines, startImport } from '../../api/many-links.js'
import type { Import, OnConflict } from '../../api/many-links.js'
import { formatNumber, plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { isSignedIn } from '../../app/session-state.js'
import { CancelButton, Dialog, useUnmountSignal } from '../../components/dialog.js'
import { Field, FormError, useAction } from '../../components/form.js'
import { ImportPreview, maxFailures } from './import-preview.js'
import type { PreviewedImport } from './import-preview.js'

const pollMs = 400

/** Number of ended imports, each of which may have changed the list of links. */
export const importCount = signal(0)

interface ImportProgress extends Import {
  /** Whether the last read failed and is retried. */
  isStale?: boolean
}

/** A finished dry run and its input, which the user may have changed since. */
interface DryRun {
  text: string
  onConflict: OnConflict
  previewed: PreviewedImport
}

export function ImportLinks({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [onConflict, setOnConflict] = useState<OnConflict>('skip')
  const [dryRun, setDryRun] = useState<DryRun | null>(null)
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const [isDragging, setIsDragging] = useState(false)
  const [fileName, setFileName] = useState<string | null>(null)
  const importing = useAction()
  const unmounted = useUnmountSignal()
  const preview = dryRun?.text === text && dryRun.onConflict === onConflict ? dryRun.previewed : null
  const accepted = preview && preview.ended.lines - preview.ended.failed

  // An import continues after the dialog is closed. Without a preview, the request in progress is only a dry run.
  const isImporting = importing.isBusy && preview !== null

  const changeText = (next: string) => {
    setText(next)
    importing.clear()
  }
  const readFile = (file: File | undefined) => {
    if (!file) return
    setFileName(file.name)
    importing.run(async () => changeText(await file.text()))
  }
  const startAndWait = async ({ format, content }: Content, isDryRun: boolean, until?: AbortSignal) => {
    setProgress(null)
    const started = await startImport(format, content, onConflict, isDryRun)
    return waitForEnd(started, setProgress, until)
  }
  const runDryRun = () =>
    importing.run(async () => {
      const content = toImportContent(text)
      const ended = await startAndWait(content, true, unmounted)
      requireSuccess(ended)
      const failures = ended.failed > 0 ? await listFailedLines(ended.id, maxFailures, unmounted) : []
      setDryRun({ text, onConflict, previewed: { ended, failures, addedLines: content.addedLines } })
    })
  // Continues after the dialog is closed, so that the user learns the result.
  const runImport = () =>
    importing.run(async () => {
      try {
        const ended = await startAndWait(toImportContent(text), false)
        importCount.value += 1
        requireSuccess(ended)
        showNotice(`Imported: ${formatImportSummary(ended)}.`)
      } catch (error) {
        if (!unmounted.aborted) throw error
        if (isSignedIn.value) showNotice(`Could not import the links. ${getErrorMessage(error)}`, null, true)
      }
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
    <Dialog title="Import links" wide onClose={onClose} isChanged={text.trim() !== '' && !isImporting}>
      <div
        class="stack"
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragging(true)
        }}
        onDragLeave={() => setIsDragging(false)}
        onDrop={drop}
      >
        <div class="columns">
          <Field label="File">
            {(ids) => (
              <span class={`drop-area ${isDragging ? 'is-target' : ''}`}>
                <input
                  {...ids}
                  type="file"
                  accept=".csv,.ndjson,.jsonl,text/csv"
                  onChange={(event) => readFile(event.currentTarget.files?.[0])}
                />
                <span aria-hidden="true">
                  {fileName === null ? (
                    <>
                      <b>Choose a file</b> or drop it here
                    </>
                  ) : (
                    <b>{fileName}</b>
                  )}
                </span>
              </span>
            )}
          </Field>
          <Field label="If a link exists" hint="Matched by slug or external ID.">
            {(ids) => (
              <select
                {...ids}
                value={onConflict}
                onChange={(event) => setOnConflict(event.currentTarget.value as OnConflict)}
              >
                <option value="skip">Skip it</option>
                <option value="update">Update it</option>
                <option value="fail">Report an error</option>
              </select>
            )}
          </Field>
        </div>
        <Field
          label="Links to import"
          hint="One URL per line, CSV with a header row (url, slug, title, tags), or NDJSON. Exports of Bitly, Dub, Kutt, Shlink and YOURLS are recognized."
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={preview ? 4 : 7}
              data-first=""
              spellcheck={false}
              value={text}
              placeholder={'https://example.com/spring\nhttps://example.com/summer'}
              onInput={(event) => changeText(event.currentTarget.value)}
            />
          )}
        </Field>
        {preview && <ImportPreview {...preview} />}
        {importing.isBusy && progress && <Progress progress={progress} />}
        <FormError error={importing.error} />
        <div class="row end">
          <CancelButton />
          <button
            type="button"
            class="primary"
            disabled={importing.isBusy || text.trim() === '' || accepted === 0}
            onClick={preview ? runImport : runDryRun}
          >
            {accepted === null ? 'Preview import' : `Import ${plural(accepted, 'line')}`}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Progress({ progress: { bytes, bytes_processed, lines, isStale } }: { progress: ImportProgress }) {
  return (
    <div class="row small-text muted">
      <progress aria-label="Progress" max={bytes} value={bytes_processed} />
      {isStale ? 'The progress cannot be read. Trying again…' : `${plural(lines, 'line')} processed`}
    </div>
  )
}

function formatImportSummary({ created, updated, skipped, failed }: Import): string {
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
  /** Number of lines added before the first line of the user. Negative if empty lines were removed. */
  addedLines: number
}

/** Converts plain URLs to CSV with one column. */
function toImportContent(text: string): Content {
  const trimmed = text.trim()
  const removedLines = text.slice(0, text.length - text.trimStart().length).split('\n').length - 1
  if (trimmed.startsWith('{')) return { format: 'ndjson', content: trimmed, addedLines: -removedLines }
  const first = trimmed.split('\n', 1)[0] ?? ''
  if (!/^https?:\/\//i.test(first)) return { format: 'csv', content: trimmed, addedLines: -removedLines }
  const lines = trimmed.split('\n').map((line) => `"${line.trim().replaceAll('"', '""')}"`)
  return { format: 'csv', content: ['url', ...lines].join('\n'), addedLines: 1 - removedLines }
}

function requireSuccess({ status, error }: Import): void {
  if (status === 'failed') throw new Error(error ?? 'The import failed.')
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Try again.'
}

async function waitForEnd(
  started: Import,
  onProgress: (current: ImportProgress) => void,
  until?: AbortSignal,
): Promise<Import> {
  let current = started
  while (current.status === 'waiting' || current.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    current = await getImport(current.id, () => onProgress({ ...current, isStale: true }), until)
    onProgress(current)
  }
  return current
}
