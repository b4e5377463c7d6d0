/** The change of a number since the previous period. */
import { formatChange, formatNumber } from '../app/format.js'

interface Props {
  now: number
  /** Null if there was no data yet. */
  before: number | null
  /** An increase is neither good nor bad. */
  isNeutral?: boolean
  isShort?: boolean
}

export function Change({ now, before, isNeutral = false, isShort = false }: Props) {
  if (before === null) return <>no earlier data</>
  if (now === before) return <>no change</>
  if (before === 0) return <>0 in the previous period</>
  const share = (now - before) / before
  const isMore = share > 0
  return (
    <span title="Compared with the previous period">
      <span class={isNeutral ? undefined : isMore ? 'up' : 'down'}>
        {isMore ? '↑' : '↓'} {formatChange(Math.abs(share))}
      </span>
      {!isShort && ` from ${formatNumber(before)}`}
    </span>
  )
}
