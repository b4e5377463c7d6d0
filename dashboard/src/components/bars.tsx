/** Parts of a whole: a table whose rows have a bar. */
import { formatNumber, formatShare } from '../app/format.js'

export interface BarRow {
  key: string
  label: string
  count: number
  href?: string
  /** Marks the row for all others. It has no bar, because that could be longer than the longest one. */
  isRest?: boolean
  /** A number beside the count that is not part of it, such as bots beside people. */
  aside?: number
}

export function Bars({
  label,
  unit,
  rows,
  total,
}: {
  label: string
  unit: string
  rows: readonly BarRow[]
  /** The whole to which the shares refer. Without it no shares are shown. */
  total?: number
}) {
  const most = Math.max(1, ...rows.map(({ count, isRest }) => (isRest ? 0 : count)))
  const hasAside = rows.some(({ aside = 0 }) => aside > 0)
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" class="num">
            {unit}
          </th>
          {hasAside && (
            <th scope="col" class="num">
              Bots
            </th>
          )}
          {total !== undefined && (
            <th scope="col" class="num">
              Share
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label: text, count, href, aside, isRest }) => (
          <tr key={key}>
            <td>
              <div
                class={`bar ${isRest ? 'rest' : ''}`}
                style={{ '--share': String(isRest ? 0 : count / most) }}
              >
                {href === undefined ? <span title={text}>{text}</span> : <a href={href}>{text}</a>}
              </div>
            </td>
            <td class="num">{formatNumber(count)}</td>
            {hasAside && <td class="num muted">{formatNumber(aside ?? 0)}</td>}
            {total !== undefined && <td class="num muted">{total > 0 ? formatShare(count / total) : ''}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
