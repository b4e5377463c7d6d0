/** Picks the period of the figures, which is kept in the address. */
import { useState } from 'preact/hooks'

import { dateOf, intervals, nameOf } from '../api/periods.js'
import type { Period } from '../api/periods.js'
import { setQuery } from '../app/router.js'
import { Tabs } from '../components/basics.js'
import { FormDialog } from '../components/dialog.js'
import { TextField } from '../components/form.js'

export function PeriodPicker({ period }: { period: Period }) {
  const [isAsking, setAsking] = useState(false)
  const isInterval = typeof period === 'string'
  const pick = (value: string) => {
    if (value === 'dates') setAsking(true)
    else setQuery({ interval: value, from: null, to: null }, { replace: true })
  }
  return (
    <>
      <Tabs
        label="Period"
        tabs={[...intervals, ['dates', isInterval ? 'Dates …' : nameOf(period)]]}
        current={isInterval ? period : 'dates'}
        onPick={pick}
      />
      {isAsking && <DatesDialog period={period} onClose={() => setAsking(false)} />}
    </>
  )
}

function DatesDialog({ period, onClose }: { period: Period; onClose: () => void }) {
  const today = dateOf(new Date())
  const given = typeof period === 'string' ? { from: `${today.slice(0, 8)}01`, to: today } : period
  const [from, setFrom] = useState(given.from)
  const [to, setTo] = useState(given.to)
  const isReversed = from !== '' && to !== '' && from > to
  const show = () => {
    setQuery({ from, to, interval: null })
    onClose()
  }
  return (
    <FormDialog
      title="From one day to another"
      action="Show"
      isDisabled={from === '' || to === '' || isReversed}
      onSend={show}
      onClose={onClose}
    >
      <TextField label="First day" type="date" value={from} onInput={setFrom} required isFirst />
      <TextField
        label="Last day"
        type="date"
        value={to}
        onInput={setTo}
        error={isReversed ? 'It is before the first day. Choose a later one.' : null}
        required
      />
      <p class="hint">They are compared with as many days before them.</p>
    </FormDialog>
  )
}
