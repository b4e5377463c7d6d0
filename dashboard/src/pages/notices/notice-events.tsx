/** The events that a notice can report. */
import type { ItemOf } from '@link-service/client'

import { capitalize } from '../../app/format.js'
import { can } from '../../app/session.js'

export type NoticeTarget = ItemOf<'listNoticeTargets'>
/** A newer service can have more events than this dashboard knows. */
export type NoticeEvent = NoticeTarget['events'][number]

const events: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  'webhook.failing': ['webhook failing', 'Its deliveries fail and are retried.'],
  'webhook.disabled': ['webhook disabled', 'Its events are held until it is resumed.'],
  'webhook.recovered': ['webhook recovered', 'Its deliveries succeed again.'],
  'token.expiring': ['token expiring', '7 days and 1 day before.'],
  'token.created': ['token created', ''],
  'token.revoked': ['token revoked', ''],
  'import.finished': ['import finished', 'Includes failed and canceled imports.'],
}

/** The events of a new target. Token events require a scope. */
export function suggestedEvents(): NoticeEvent[] {
  const usual: readonly NoticeEvent[] = [
    'webhook.failing',
    'webhook.disabled',
    'webhook.recovered',
    'token.expiring',
  ]
  return usual.filter(canReceive)
}

function canReceive(event: NoticeEvent): boolean {
  return !event.startsWith('token.') || can('tokens:read')
}

/** Names events in one line. An event that this dashboard does not know keeps its name from the API. */
export function describeEvents(names: readonly string[]): string {
  return capitalize(names.map((name) => events[name]?.[0] ?? name).join(', '))
}

export function NoticeEventPicker({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly NoticeEvent[]
  onChange: (events: NoticeEvent[]) => void
  error: string | null
}) {
  const toggle = (event: NoticeEvent) =>
    onChange(chosen.includes(event) ? chosen.filter((each) => each !== event) : [...chosen, event])
  return (
    <fieldset>
      <legend>Events</legend>
      {Object.entries(events).map(([event, [name, meaning]]) => (
        <label key={event} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            disabled={!canReceive(event) && !chosen.includes(event)}
            onChange={() => toggle(event)}
          />
          <span>
            {capitalize(name)} <span class="hint">{meaning}</span>
          </span>
        </label>
      ))}
      {!can('tokens:read') && (
        <p class="hint">
          Token events require the scope <code>tokens:read</code>.
        </p>
      )}
      {error !== null && <p class="field-error">{error}</p>}
    </fieldset>
  )
}
