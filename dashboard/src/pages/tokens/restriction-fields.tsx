/** The restrictions in the form of a new token. */
import { timeField } from '../../app/local-time.js'
import { me } from '../../app/session-state.js'
import { Field, fieldError, TextField } from '../../components/form.js'
import { TagsField } from '../links/tags-field.js'
import { describeRestrictions } from './restriction-values.js'
import type { RestrictionValues } from './restriction-values.js'

export const restrictionPointers = [
  '/restrictions/allowed_ips',
  '/restrictions/not_before',
  '/restrictions/rate_limit',
  '/restrictions/tags',
]

const windows = [
  ['1s', 'per second'],
  ['1m', 'per minute'],
  ['1h', 'per hour'],
] as const

interface Props {
  values: RestrictionValues
  onChange: (values: RestrictionValues) => void
  error: unknown
  /** The field without which the selected preset would not restrict. */
  required: 'allowedIps' | 'tags' | undefined
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

export function RestrictionFields({ values, onChange, error, required, isOpen, onToggle }: Props) {
  const set = (change: Partial<RestrictionValues>) => onChange({ ...values, ...change })
  const errorAt = (name: string) => fieldError(error, `/restrictions/${name}`)
  const own = describeRestrictions(me.value?.restrictions ?? null)
  return (
    <details
      class="more-options"
      // The browser cannot focus a field with an error while it is hidden.
      open={isOpen || restrictionPointers.some((pointer) => fieldError(error, pointer) !== null)}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary>
        Restrictions <span class="hint">IP addresses, tags, rate limit, start time</span>
      </summary>
      <div class="stack">
        {own.length > 0 && (
          <p class="callout">The new token also has the restrictions of your token: {own.join('; ')}.</p>
        )}
        <TextField
          label="Allowed IP addresses"
          hint="Addresses or networks, separated by commas."
          value={values.allowedIps}
          onInput={(allowedIps) => set({ allowedIps })}
          error={errorAt('allowed_ips')}
          placeholder="203.0.113.7, 2001:db8::/32"
          autocomplete="off"
          required={required === 'allowedIps'}
        />
        <TagsField
          label="Only links with one of these tags"
          tags={values.tags}
          onChange={(tags) => set({ tags })}
          error={errorAt('tags')}
          required={required === 'tags'}
        />
        <div class="columns">
          <RateField values={values} onChange={set} error={errorAt('rate_limit')} />
          <TextField
            {...timeField}
            label="Valid from"
            hint="In your time zone."
            value={values.notBefore}
            onInput={(notBefore) => set({ notBefore })}
            error={errorAt('not_before')}
          />
        </div>
      </div>
    </details>
  )
}

interface RateProps {
  values: RestrictionValues
  onChange: (change: Partial<RestrictionValues>) => void
  error: string | null
}

function RateField({ values, onChange, error }: RateProps) {
  return (
    <Field label="Rate limit" hint="Instead of the usual limit of a token." error={error}>
      {(ids) => (
        <div class="row">
          <input
            {...ids}
            type="number"
            min={1}
            step={1}
            placeholder="60"
            value={values.rateCount}
            onInput={({ currentTarget }) => onChange({ rateCount: currentTarget.value })}
          />
          <select
            aria-label="Rate limit, per"
            value={values.rateWindow}
            onChange={({ currentTarget }) => onChange({ rateWindow: currentTarget.value })}
          >
            {windows.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        </div>
      )}
    </Field>
  )
}
