/** Selects the time range of a replay: a duration, or two times. */
import { timeField, toTime } from '../../app/local-time.js'
import { Tabs } from '../../components/basics.js'
import { Select, TextField } from '../../components/form.js'

export interface ReplayRange {
  /** A duration such as `1d`, or `custom` for the two times. */
  age: string
  /** Local times in the format of `datetime-local`. Without `until`, the range ends now. */
  from: string
  until: string
}

const ages = [
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['1d', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['custom', 'Custom'],
] as const

/** Returns the range as the fields of the request. */
export function getReplayBounds({ age, from, until }: ReplayRange): { since: string; until?: string } {
  if (age !== 'custom' || from === '') return { since: age }
  return { since: toTime(from), ...(until === '' ? {} : { until: toTime(until) }) }
}

export function isComplete({ age, from }: ReplayRange): boolean {
  return age !== 'custom' || from !== ''
}

interface RangePickerProps {
  range: ReplayRange
  onChange: (range: ReplayRange) => void
  sinceError: string | null
  untilError: string | null
}

export function RangePicker({ range, onChange, sinceError, untilError }: RangePickerProps) {
  const change = (changes: Partial<ReplayRange>) => onChange({ ...range, ...changes })
  return (
    <div class="stack">
      <div class="field">
        <b class="field-name">Time range</b>
        <div class="wide-only">
          <Tabs label="Time range" tabs={ages} current={range.age} onPick={(age) => change({ age })} />
        </div>
        <div class="narrow-only">
          <Select label="Time range" options={ages} value={range.age} onPick={(age) => change({ age })} />
        </div>
      </div>
      {range.age === 'custom' && (
        <div class="columns">
          <TextField
            {...timeField}
            label="From"
            value={range.from}
            error={sinceError}
            onInput={(from) => change({ from })}
            required
          />
          <TextField
            {...timeField}
            label="Until"
            hint="Leave empty to replay up to now."
            value={range.until}
            error={untilError}
            onInput={(until) => change({ until })}
          />
        </div>
      )}
    </div>
  )
}
