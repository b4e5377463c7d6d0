/** Many links at once: pasted addresses or a file. What would happen is shown before it happens. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { getImport, reportAddress, startImport } from '../../api/many-links.js'
import type { Import, OnConflict } from '../../api/many-links.js'
import { formatNumber, plural } from '../../app/format.js'
import { say } from '../../app/notices.js'
import { go } from '../../app/router.js'
import { Dialog, useGone } from '../../components/dialog.js'
import { Field, FormError, useAction } from '../../components/form.js'

const lookEveryMs = 400

/** A dry run and what it was of, because text and mode can be changed before it ends. */
interface Trial {
  text: string
  onConflict: OnConflict
  ended: Import
}

export function ImportLinks({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [onConflict, setOnConflict] = useState<OnConflict>('skip')
  const [trial, setTrial] = useState<Trial | null>(null)
  const [isOver, setIsOver] = useState(false)
  const importing = useAction()
  const gone = useGone()
  const tried = trial?.text === text && trial.onConflict === onConflict ? trial.ended : null

  const change = (next: string) => {
    setText(next)
    importing.clear()
  }
  const take = (file: File | undefined) => {
    if (file) importing.run(async () => change(await file.text()))
  }
  const run = (isDryRun: boolean) =>
    importing.run(async () => {
      const { format, content } = contentOf(text)
      const begun = await startImport(format, content, onConflict, isDryRun).catch((error: unknown) => {
        if (error instanceof NotFoundError) throw new Error('This service does not offer imports.')
        throw error
      })
      const ended = await endOf(begun, gone)
      if (ended.status === 'failed') throw new Error(ended.error ?? 'The import has failed.')
      if (isDryRun) return setTrial({ text, onConflict, ended })
      say(`Imported: ${summaryOf(ended)}.`)
      if (gone.aborted) return
      onClose()
      go('/links')
    })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer?.files[0])
  }
  return (
    <Dialog title="Import links" wide onClose={onClose}>
      <div
        class={`stack ${isOver ? 'callout' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Field
          label="Addresses, one a line, or CSV with a head"
          hint="You can drop a file here too: CSV or NDJSON. The columns are those of the API: url, slug, title, tags."
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={9}
              data-first=""
              spellcheck={false}
              value={text}
              placeholder={'https://example.com/spring\nhttps://example.com/summer'}
              onInput={(event) => change(event.currentTarget.value)}
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
                onChange={(event) => take(event.currentTarget.files?.[0])}
              />
            )}
          </Field>
          <Field label="Where a slug or external id is there already">
            {(ids) => (
              <select
                {...ids}
                value={onConflict}
                onChange={(event) => setOnConflict(event.currentTarget.value as OnConflict)}
              >
                <option value="skip">Leave the link as it is</option>
                <option value="update">Change the link to this</option>
                <option value="fail">Report the line</option>
              </select>
            )}
          </Field>
        </div>
        {tried && <Preview tried={tried} />}
        <FormError error={importing.error} />
        <div class="row end">
          <button type="button" disabled={importing.isBusy || text.trim() === ''} onClick={() => run(true)}>
            Show what would happen
          </button>
          <button
            type="button"
            class="primary"
            disabled={importing.isBusy || !tried}
            onClick={() => run(false)}
          >
            {tried ? `Import ${plural(tried.lines - tried.failed, 'line')}` : 'Import'}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ tried }: { tried: Import }) {
  return (
    <div class={`callout ${tried.failed > 0 ? 'warn' : 'good'}`} role="status">
      <p>
        Nothing is changed yet. Of {plural(tried.lines, 'line')}: {summaryOf(tried)}.
      </p>
      {tried.failed > 0 && (
        <a href={reportAddress(tried.id)} download="import-report">
          Why lines fail
        </a>
      )}
    </div>
  )
}

function summaryOf({ created, updated, skipped, failed }: Import): string {
  return [
    `${formatNumber(created)} new`,
    `${formatNumber(updated)} changed`,
    `${formatNumber(skipped)} left as they are`,
    `${formatNumber(failed)} wrong`,
  ].join(', ')
}

/** Lines that are plain addresses become CSV with one column. */
function contentOf(text: string): { format: 'csv' | 'ndjson'; content: string } {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return { format: 'ndjson', content: trimmed }
  const first = trimmed.split('\n', 1)[0] ?? ''
  if (!/^https?:\/\//i.test(first)) return { format: 'csv', content: trimmed }
  const lines = trimmed.split('\n').map((line) => `"${line.trim().replaceAll('"', '""')}"`)
  return { format: 'csv', content: ['url', ...lines].join('\n') }
}

async function endOf(begun: Import, signal: AbortSignal): Promise<Import> {
  let each = begun
  while (each.status === 'waiting' || each.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    each = await getImport(each.id, signal)
  }
  return each
}
