/** Selects the analytics period, which is part of the URL. */
import { useState } from 'preact/hooks'

import { formatPeriod, intervals, toLocalDate } from '../api/periods.js'
import type { Period } from '../api/periods.js'
import { setQuery } from '../app/router.js'
import { Tabs } from '../components/basics.js'
import { FormDialog } from '../components/dialog.js'
import { Select, TextField } from '../components/form.js'

export function PeriodPicker({ period }: { period: Period }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const isInterval = typeof period === 'string'
  const tabs = [...intervals, ['dates', isInterval ? 'Custom' : formatPeriod(period)]] as const
  const current = isInterval ? period : 'dates'
  const pick = (value: string) => {
    if (value === 'dates') setDialogOpen(true)
    else setQuery({ interval: value, from: null, to: null }, { replace: true })
  }
  return (
    <>
      <div class="wide-only">
        <Tabs label="Period" tabs={tabs} current={current} onPick={pick} />
      </div>
      <div class="narrow-only">
        <Select label="Period" options={tabs} value={current} onPick={pick} />
      </div>
      {isDialogOpen && <DatesDialog period={period} onClose={() => setDialogOpen(false)} />}
    </>
  )
}

function DatesDialog({ period, onClose }: { period: Period; onClose: () => void }) {
  const today = toLocalDate(new Date())
  const initial = typeof period === 'string' ? { from: `${today.slice(0, 8)}01`, to: today } : period
  const [from, setFrom] = useState(initial.from.slice(0, 10))
  const [to, setTo] = useState(initial.to.slice(0, 10))
  const isReversed = from !== '' && to !== '' && from > to
  const showPeriod = () => {
    setQuery({ from, to, interval: null })
    onClose()
  }
  return (
    <FormDialog
      title="Custom period"
      action="Show clicks"
      isDisabled={from === '' || to === '' || isReversed}
      onSend={showPeriod}
      onClose={onClose}
    >
      <TextField label="First day" type="date" value={from} onInput={setFrom} required isFirst />
      <TextField
        label="Last day"
        type="date"
        value={to}
        onInput={setTo}
        error={isReversed ? 'The last day must not be before the first day.' : null}
        required
      />
      <p class="hint">Compared with the same number of days before the period.</p>
    </FormDialog>
  )
}
