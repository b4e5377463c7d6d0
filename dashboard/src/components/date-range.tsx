/** A filter by date, kept in the URL as the first and the last day in the time zone of the browser. */
import { useState } from 'preact/hooks'

import { addDays, toLocalDate } from '../api/periods.js'
import { getQueryParameter, setQuery } from '../app/router.js'
import { Select } from './form.js'

const datePattern = /^\d{4}-\d\d-\d\d$/
/** Years that a list can contain. Other years appear while a user types one. */
const [firstDate, lastDate] = ['1970-01-02', '9998-12-31']

/** Returns the filter as parameters of lists in the API, whose bounds are exclusive. */
export function createdBounds(): { created_after?: string; created_before?: string } {
  const [from, to] = [getQueryParameter('from'), getQueryParameter('to')]
  return {
    ...(isDate(from) ? { created_after: new Date(getDayStart(from).getTime() - 1).toISOString() } : {}),
    ...(isDate(to) ? { created_before: getDayStart(addDays(to, 1)).toISOString() } : {}),
  }
}

const getDayStart = (date: string) => new Date(`${date}T00:00:00`)

function isDate(text: string): boolean {
  const isInRange = datePattern.test(text) && text >= firstDate && text <= lastDate
  return isInRange && !Number.isNaN(getDayStart(text).getTime())
}

const days = [
  ['1', 'Today'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
] as const

export function DateRange() {
  const [from, to] = [getQueryParameter('from'), getQueryParameter('to')]
  const [isCustom, setCustom] = useState(false)
  const firstDay = (count: string) => addDays(toLocalDate(new Date()), 1 - Number(count))
  const preset = to === '' ? days.find(([count]) => firstDay(count) === from)?.[0] : undefined
  const isAny = from === '' && to === ''
  const current = isCustom ? 'custom' : (preset ?? (isAny ? '' : 'custom'))
  const pick = (picked: string) => {
    setCustom(picked === 'custom')
    if (picked !== 'custom') setQuery({ from: picked && firstDay(picked), to: null }, { replace: true })
  }
  const field = (name: 'from' | 'to', label: string, limits: { min?: string; max?: string }) => (
    <label class="inline-field">
      <span>{label}</span>
      <input
        type="date"
        {...limits}
        value={getQueryParameter(name)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value }, { replace: true })}
      />
    </label>
  )
  return (
    <>
      <Select
        label="Time"
        value={current}
        options={[['', 'Any time'], ...days, ['custom', 'Custom dates']]}
        onPick={pick}
      />
      {current === 'custom' && (
        <div class="row date-fields">
          {field('from', 'From', { max: to })}
          {field('to', 'To', { min: from })}
        </div>
      )}
    </>
  )
}
