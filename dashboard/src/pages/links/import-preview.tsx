/** The result of a dry run: counts by outcome, the first lines as they will be imported, and the failed lines. */
import { importReportUrl } from '../../api/many-links.js'
import type { FailedLine, Import } from '../../api/many-links.js'
import { formatExact, formatNumber, plural } from '../../app/format.js'
import { Badge } from '../../components/basics.js'
import type { Tone } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'
import { fieldLabels } from './link-fields.js'

/** Maximum number of failed lines that the preview shows. */
export const maxFailures = 10

export interface PreviewedImport {
  ended: Import
  failures: readonly FailedLine[]
  /** Number of lines that the dashboard added before the first line of the user. Negative if it removed empty lines. */
  addedLines: number
}

type Row = Import['preview'][number]

const outcomes = [
  ['created', 'new', 'good'],
  ['updated', 'updated', 'accent'],
  ['skipped', 'skipped', 'plain'],
  ['failed', 'failed', 'bad'],
] as const

export function ImportPreview({ ended, failures, addedLines }: PreviewedImport) {
  const { lines, failed, preview, ignored_columns: ignored } = ended
  const accepted = lines - failed
  return (
    <section class="stack import-preview" aria-label="Preview">
      <div role="status">
        <h3>Preview of {plural(lines, 'line')}</h3>
        <p class="muted small-text">Nothing has been imported yet.</p>
      </div>
      <ul class="outcomes">
        {outcomes.map(([name, text, tone]) => (
          <li key={name} class={ended[name] > 0 ? tone : 'plain'}>
            <b>{formatNumber(ended[name])}</b> {text}
          </li>
        ))}
      </ul>
      {ignored.length > 0 && <p class="small-text muted break">Ignored columns: {ignored.join(', ')}</p>}
      {preview.length > 0 && (
        <>
          <h3>
            {accepted > preview.length
              ? `First ${preview.length} of ${plural(accepted, 'line')} to import`
              : 'Lines to import'}
          </h3>
          <Records
            label="Lines to import"
            columns={rowColumns}
            rows={preview}
            getRowKey={({ line }) => String(line)}
          />
        </>
      )}
      {failed > 0 && <Failures id={ended.id} failed={failed} failures={failures} addedLines={addedLines} />}
    </section>
  )
}

const rowColumns: readonly Column<Row>[] = [
  {
    name: 'Slug',
    cell: ({ slug, outcome }) =>
      slug ?? <span class="muted">{outcome === 'created' ? 'generated' : 'unchanged'}</span>,
  },
  {
    name: 'Destination',
    cell: ({ url, title }) => (
      <span class="clip" title={url}>
        {title !== null && <>{title} </>}
        <span class="muted">{url}</span>
      </span>
    ),
  },
  {
    name: 'Tags',
    cell: ({ tags }) =>
      tags.length === 0 ? (
        '–'
      ) : (
        <span class="row wrap">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ),
  },
  {
    name: 'Expires',
    cell: ({ expires_at: at }) =>
      at === null ? (
        'never'
      ) : (
        <time dateTime={at} title={formatExact(at)}>
          {dateFormat.format(new Date(at))}
        </time>
      ),
  },
  { name: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
]

const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

function OutcomeBadge({ outcome }: { outcome: Row['outcome'] }) {
  const [, text, tone]: readonly [string, string, Tone] = outcomes.find(([name]) => name === outcome)!
  return <Badge tone={tone}>{text}</Badge>
}

interface Failure {
  line: number
  field: string | null
  detail: string
}

function Failures({
  id,
  failed,
  failures,
  addedLines,
}: {
  id: string
  failed: number
  failures: readonly FailedLine[]
  addedLines: number
}) {
  const rows = failures.flatMap(({ line, errors }) =>
    errors.map((error): Failure => ({ line: line - addedLines, ...error })),
  )
  return (
    <>
      <div class="row wrap spread">
        <h3>
          {failed > failures.length
            ? `First ${failures.length} of ${plural(failed, 'failed line')}`
            : 'Failed lines'}
        </h3>
        <a class="small-text" href={importReportUrl(id)} download="import-report.csv">
          Download error report
        </a>
      </div>
      <Records
        label="Failed lines"
        columns={failureColumns}
        rows={rows}
        getRowKey={({ line, field, detail }) => `${line} ${field} ${detail}`}
      />
    </>
  )
}

const labels: Readonly<Record<string, string>> = {
  ...fieldLabels,
  slug: 'Slug',
  external_id: 'External ID',
  expires_in: 'Expires in',
}

const failureColumns: readonly Column<Failure>[] = [
  { name: 'Line', cell: ({ line }) => formatNumber(line), isRightAligned: true },
  { name: 'Field', cell: ({ field }) => (field === null ? 'Whole line' : (labels[field] ?? field)) },
  { name: 'Reason', cell: ({ detail }) => detail, class: 'break' },
]
