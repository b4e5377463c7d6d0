/** A number with its name, and its change since the previous period. */
import type { ComponentChildren } from 'preact'

import { formatCompact, formatNumber, formatPercent } from '../app/format.js'

export function Figure({
  name,
  value,
  note,
}: {
  name: string
  /** Undefined while loading. */
  value: number | undefined
  note?: ComponentChildren
}) {
  return (
    <div class="figure" aria-busy={value === undefined}>
      <div class="figure-name">{name}</div>
      <div class="figure-value" title={value === undefined ? undefined : formatNumber(value)}>
        {value === undefined ? (
          <div class="bone" />
        ) : value < 100_000 ? (
          formatNumber(value)
        ) : (
          formatCompact(value)
        )}
      </div>
      <div class="figure-note">{note}</div>
    </div>
  )
}

/** Shows the change since the previous period. `isNeutral` means that an increase is neither good nor bad. */
export function Change({
  now,
  before,
  isNeutral = false,
}: {
  now: number
  before: number | undefined
  isNeutral?: boolean
}) {
  if (before === undefined) return null
  if (before === 0) return <>{now === 0 ? 'no change' : '0 in the previous period'}</>
  if (now === before) return <>no change</>
  const share = (now - before) / before
  const isMore = share > 0
  return (
    <span title="Compared with the previous period">
      <span class={isNeutral ? undefined : isMore ? 'up' : 'down'}>
        {isMore ? '↑' : '↓'} {formatPercent(Math.abs(share))}
      </span>{' '}
      from {formatNumber(before)}
    </span>
  )
}
