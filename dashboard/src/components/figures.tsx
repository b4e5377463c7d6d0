/** A number with its name. */
import type { ComponentChildren } from 'preact'

import { formatCompact, formatNumber } from '../app/format.js'
import { Icon } from './icon.js'

interface Props {
  name: string
  /** How the number is counted. */
  hint?: string
  /** Undefined while loading. Null if there is no number, which the note explains. */
  value: number | null | undefined
  note?: ComponentChildren
  isSmall?: boolean
}

export function Figure({ name, hint, value, note, isSmall = false }: Props) {
  return (
    <div class={`figure ${isSmall ? 'small' : ''}`} aria-busy={value === undefined}>
      <div class="figure-name">
        <span>{name}</span>
        {hint !== undefined && (
          <span class="info" title={hint}>
            <Icon name="info" />
            <span class="hidden-text">{hint}</span>
          </span>
        )}
      </div>
      <div class="figure-value" title={typeof value === 'number' ? formatNumber(value) : undefined}>
        {value === undefined ? <div class="bone" /> : value === null ? '–' : formatFigure(value)}
      </div>
      <div class="figure-note facts-line">{note}</div>
    </div>
  )
}

function formatFigure(value: number): string {
  return value < 100_000 ? formatNumber(value) : formatCompact(value)
}
