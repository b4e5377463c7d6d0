/** A table with a bar in each row. */
import { formatNumber, formatShare } from '../app/format.js'

export interface BarRow {
  key: string
  label: string
  /** An emoji before the label. */
  icon?: string
  count: number
  href?: string
  /** Marks the row that sums up all other values. It has no bar, which could be longer than all others. */
  isOther?: boolean
  /** Whether the page is filtered by this row. */
  isChosen?: boolean
  /** A number for the second column that is not part of the count, such as bot clicks. */
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
  /** The total of the shares. Without it, no shares are shown. */
  total?: number
}) {
  const most = Math.max(1, ...rows.map(({ count, isOther }) => (isOther ? 0 : count)))
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
            <th scope="col" class="num wide-only">
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
        {rows.map(({ key, label: text, icon = '', count, href, aside, isOther, isChosen = false }) => (
          <tr key={key}>
            <td>
              <div
                class={`bar ${isOther ? 'rest' : ''} ${isChosen ? 'chosen' : ''}`}
                style={{ '--share': String(isOther ? 0 : count / most) }}
              >
                {icon !== '' && (
                  <span class="flag" aria-hidden="true">
                    {icon}
                  </span>
                )}
                {href === undefined ? (
                  <span title={text}>{text}</span>
                ) : (
                  <a href={href} aria-current={isChosen ? 'true' : undefined}>
                    {text}
                  </a>
                )}
              </div>
            </td>
            <td class="num">{formatNumber(count)}</td>
            {hasAside && <td class="num wide-only muted">{formatNumber(aside ?? 0)}</td>}
            {total !== undefined && <td class="num muted">{total > 0 ? formatShare(count / total) : ''}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
