/** A filter by date, kept in the URL as the first and the last day in the time zone of the browser. */
import { addDays } from '../api/periods.js'
import { queryOf, setQuery } from '../app/router.js'

const datePattern = /^\d{4}-\d\d-\d\d$/
/** Years that a list can contain. Other years appear while a user types one. */
const [firstDate, lastDate] = ['1970-01-02', '9998-12-31']

/** Returns the filter as parameters of lists in the API, whose bounds are exclusive. */
export function createdBounds(): { created_after?: string; created_before?: string } {
  const [from, to] = [queryOf('from'), queryOf('to')]
  return {
    ...(isDate(from) ? { created_after: new Date(startOf(from).getTime() - 1).toISOString() } : {}),
    ...(isDate(to) ? { created_before: startOf(addDays(to, 1)).toISOString() } : {}),
  }
}

const startOf = (date: string) => new Date(`${date}T00:00:00`)

function isDate(text: string): boolean {
  const isInRange = datePattern.test(text) && text >= firstDate && text <= lastDate
  return isInRange && !Number.isNaN(startOf(text).getTime())
}

export function DateRange() {
  const field = (name: 'from' | 'to', label: string, limits: { min?: string; max?: string }) => (
    <label class="inline-field">
      <span>{label}</span>
      <input
        type="date"
        {...limits}
        value={queryOf(name)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value }, { replace: true })}
      />
    </label>
  )
  return (
    <>
      {field('from', 'From', { max: queryOf('to') })}
      {field('to', 'To', { min: queryOf('from') })}
    </>
  )
}
