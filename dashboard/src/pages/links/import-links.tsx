/** Imports pasted URLs or a file, after a preview. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { getImport, importReportUrl, startImport } from '../../api/many-links.js'
import type { Import, OnConflict } from '../../api/many-links.js'
import { formatNumber, plural } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { Dialog, useUnmountSignal } from '../../components/dialog.js'
import { Field, FormError, useAction } from '../../components/form.js'

const pollMs = 400

/** A finished dry run and its input, which the user may have changed since. */
interface DryRun {
  text: string
  onConflict: OnConflict
  ended: Import
}

export function ImportLinks({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [onConflict, setOnConflict] = useState<OnConflict>('skip')
  const [dryRun, setDryRun] = useState<DryRun | null>(null)
  const [isDragging, setIsDragging] = useState(false)
  const importing = useAction()
  const unmounted = useUnmountSignal()
  const preview = dryRun?.text === text && dryRun.onConflict === onConflict ? dryRun.ended : null

  const changeText = (next: string) => {
    setText(next)
    importing.clear()
  }
  const readFile = (file: File | undefined) => {
    if (file) importing.run(async () => changeText(await file.text()))
  }
  const runImport = (isDryRun: boolean) =>
    importing.run(async () => {
      const { format, content } = contentOf(text)
      const started = await startImport(format, content, onConflict, isDryRun).catch((error: unknown) => {
        if (error instanceof NotFoundError)
          throw new Error('This version of the service does not support imports. Update the service.')
        throw error
      })
      const ended = await waitForEnd(started, unmounted)
      if (ended.status === 'failed') throw new Error(ended.error ?? 'The import failed.')
      if (isDryRun) return setDryRun({ text, onConflict, ended })
      showNotice(`Imported: ${summaryOf(ended)}.`)
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
    <Dialog title="Import links" wide onClose={onClose}>
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
              rows={9}
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
        {preview && <Preview preview={preview} />}
        <FormError error={importing.error} />
        <div class="row end">
          <button
            type="button"
            disabled={importing.isBusy || text.trim() === ''}
            onClick={() => runImport(true)}
          >
            Preview import
          </button>
          <button
            type="button"
            class="primary"
            disabled={importing.isBusy || !preview}
            onClick={() => runImport(false)}
          >
            {preview ? `Import ${plural(preview.lines - preview.failed, 'line')}` : 'Import'}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ preview }: { preview: Import }) {
  return (
    <div class={`callout ${preview.failed > 0 ? 'warn' : 'good'}`} role="status">
      <p>
        Preview of {plural(preview.lines, 'line')}: {summaryOf(preview)}. Nothing has been imported yet.
      </p>
      {preview.failed > 0 && (
        <a href={importReportUrl(preview.id)} download="import-report">
          Download error report
        </a>
      )}
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

/** Converts plain URLs to CSV with one column. */
function contentOf(text: string): { format: 'csv' | 'ndjson'; content: string } {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return { format: 'ndjson', content: trimmed }
  const first = trimmed.split('\n', 1)[0] ?? ''
  if (!/^https?:\/\//i.test(first)) return { format: 'csv', content: trimmed }
  const lines = trimmed.split('\n').map((line) => `"${line.trim().replaceAll('"', '""')}"`)
  return { format: 'csv', content: ['url', ...lines].join('\n') }
}

async function waitForEnd(started: Import, signal: AbortSignal): Promise<Import> {
  let current = started
  while (current.status === 'waiting' || current.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    current = await getImport(current.id, signal)
  }
  return current
}
