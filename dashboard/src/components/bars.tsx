/** Parts of a whole: a table whose rows have a bar. */
import { formatNumber, formatPercent } from '../app/format.js'

export interface BarRow {
  key: string
  label: string
  count: number
  href?: string
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
  total: number
}) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table class="bars">
      <caption class="hidden-text">{label}</caption>
      <thead class="hidden-text">
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{unit}</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label: text, count, href }) => (
          <tr key={key}>
            <td>
              <div class="bar" style={{ '--share': String(count / most) }}>
                {href === undefined ? <span title={text}>{text}</span> : <a href={href}>{text}</a>}
              </div>
            </td>
            <td class="num">{formatNumber(count)}</td>
            <td class="num muted">{total > 0 ? formatPercent(count / total) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
