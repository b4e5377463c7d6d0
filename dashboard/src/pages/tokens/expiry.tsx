/** The expiry of a new token: none, after a duration, or at the end of a day. */
import { addDays, toLocalDate } from '../../api/periods.js'
import { now } from '../../app/format.js'
import { me } from '../../app/session-state.js'
import { Field } from '../../components/form.js'

/** The selected option, and the day for the option `date`. */
interface Expiry {
  choice: string
  date: string
}

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
const maxDays = 365
/** The API accepts durations with at most five digits. */
const maxCount = 99_999

const durations = [
  ['1d', '1 day', 1],
  ['7d', '7 days', 7],
  ['30d', '30 days', 30],
  ['90d', '90 days', 90],
  ['365d', '1 year', maxDays],
] as const

/** Returns the latest expiry that the current token can grant: its own, or Infinity if it does not expire. */
function latestMs(): number {
  const expiresAt = me.value?.expires_at
  return expiresAt ? Date.parse(expiresAt) : Infinity
}

/** Suggests 90 days, or the longest duration that the current token can grant. */
export function suggestedExpiry(): Expiry {
  const remainingDays = (latestMs() - Date.now()) / dayMs
  const [choice] = durations.findLast(([, , days]) => days <= 90 && days <= remainingDays) ?? ['date']
  return { choice, date: toLocalDate(new Date(Math.min(latestMs(), Date.now() + 30 * dayMs))) }
}

/** Returns the duration for the API, undefined for no expiry, or null for an invalid date. */
export function getExpiryDuration({ choice, date }: Expiry, nowMs: number): string | undefined | null {
  if (choice === '') return undefined
  if (choice !== 'date') return choice
  const end = new Date(`${date}T23:59:59`).getTime()
  const minutes = Math.floor((Math.min(end, latestMs()) - nowMs) / minuteMs)
  if (Number.isNaN(minutes) || minutes < 1 || minutes > maxDays * 1_440) return null
  return minutes <= maxCount ? `${minutes}m` : `${Math.floor(minutes / 60)}h`
}

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: 60 * minuteMs, d: dayMs }
const endFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

function getExpiryHint(duration: string | undefined | null): string {
  const limit = Number.isFinite(latestMs())
    ? ` It cannot outlive your own token, which expires on ${endFormat.format(latestMs())}.`
    : ''
  if (duration === undefined) return 'The token works until it is revoked.'
  if (duration === null) return `Choose a date within the next year.${limit}`
  const lengthMs = parseInt(duration, 10) * (unitMs[duration.slice(-1)] ?? 0)
  return `On ${endFormat.format(now.value + lengthMs)}.${limit}`
}

export function ExpiryField({
  value,
  error,
  onPick,
}: {
  value: Expiry
  error: string | null
  onPick: (expiry: Expiry) => void
}) {
  const latest = latestMs()
  const options = [
    ...(latest === Infinity ? [['', 'No expiry'] as const] : []),
    ...durations.filter(([, , days]) => now.value + days * dayMs <= latest),
    ['date', 'Custom date'] as const,
  ]
  const today = toLocalDate(new Date(now.value))
  // Without a time, a date is parsed as UTC.
  const lastDay = toLocalDate(new Date(Math.min(latest, Date.parse(`${addDays(today, maxDays - 1)}T00:00`))))
  return (
    <Field label="Expires" error={error} hint={getExpiryHint(getExpiryDuration(value, now.value))}>
      {(ids) => (
        <div class="row">
          <select
            {...ids}
            value={value.choice}
            onChange={(event) => onPick({ ...value, choice: event.currentTarget.value })}
          >
            {options.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
          {value.choice === 'date' && (
            <input
              type="date"
              aria-label="Last day"
              required
              min={today}
              max={lastDay}
              value={value.date}
              onInput={(event) => onPick({ ...value, date: event.currentTarget.value })}
            />
          )}
        </div>
      )}
    </Field>
  )
}
