/** The fields of the webhook form, for creating and editing. */
import { Field, fieldError, MoreOptions, TextField } from '../../components/form.js'
import { fieldLabels } from '../links/link-fields.js'
import { TagsField } from '../links/tags-field.js'
import { EventPicker } from './event-picker.js'
import { HeaderFields } from './header-fields.js'
import { hasOptions } from './webhook-values.js'
import type { WebhookValues } from './webhook-values.js'

const optionPointers = ['/filter/tags', '/headers', '/batch/max', '/batch/within']
export const webhookPointers = ['/url', '/description', ...optionPointers]

const formats = [
  ['standard', 'Signed JSON (Standard Webhooks)'],
  ['slack', 'Slack message'],
  ['discord', 'Discord message'],
] as const

interface WebhookFieldsProps {
  values: WebhookValues
  onChange: (values: WebhookValues) => void
  error: unknown
}

export function WebhookFields({ values, onChange, error }: WebhookFieldsProps) {
  const set = (change: Partial<WebhookValues>) => onChange({ ...values, ...change })
  return (
    <>
      <TextField
        label="Endpoint URL"
        value={values.url}
        onInput={(url) => set({ url })}
        error={fieldError(error, '/url')}
        placeholder="https://example.com/webhooks"
        required
        isFirst
      />
      <TextField
        label="Name (optional)"
        value={values.description}
        onInput={(description) => set({ description })}
        error={fieldError(error, '/description')}
      />
      <EventPicker events={values.events} onChange={(events) => set({ events })} />
      <MoreOptions isOpen={hasOptions(values)} pointers={optionPointers} error={error}>
        <FilterFields values={values} onChange={onChange} error={error} />
        <DeliveryFields values={values} onChange={onChange} error={error} />
        <HeaderFields
          headers={values.headers}
          onChange={(headers) => set({ headers })}
          error={fieldError(error, '/headers')}
        />
      </MoreOptions>
    </>
  )
}

function FilterFields({ values, onChange, error }: WebhookFieldsProps) {
  const set = (change: Partial<WebhookValues>) => onChange({ ...values, ...change })
  const { changedFields } = values
  const fields = Object.keys(fieldLabels) as (keyof typeof fieldLabels)[]
  const toggle = (name: (typeof fields)[number]) =>
    set({
      changedFields: changedFields.includes(name)
        ? changedFields.filter((each) => each !== name)
        : [...changedFields, name],
    })
  return (
    <fieldset>
      <legend>Filter</legend>
      <TagsField
        label="Only links with one of these tags"
        tags={values.tags}
        onChange={(tags) => set({ tags })}
        error={fieldError(error, '/filter/tags')}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={values.humanOnly}
          onChange={({ currentTarget }) => set({ humanOnly: currentTarget.checked })}
        />
        Only human clicks
      </label>
      <div role="group" aria-label="Changed fields">
        <p class="field-name">Only updates that change one of these fields</p>
        <div class="options">
          {fields.map((name) => (
            <label key={name} class="check">
              <input type="checkbox" checked={changedFields.includes(name)} onChange={() => toggle(name)} />
              {fieldLabels[name]}
            </label>
          ))}
        </div>
        <p class="hint">None selected: all updates are sent.</p>
      </div>
    </fieldset>
  )
}

function DeliveryFields({ values, onChange, error }: WebhookFieldsProps) {
  const set = (change: Partial<WebhookValues>) => onChange({ ...values, ...change })
  return (
    <fieldset>
      <legend>Delivery</legend>
      <Field label="Format" hint="Slack and Discord show events as messages. They do not verify signatures.">
        {(ids) => (
          <select
            {...ids}
            value={values.format}
            onChange={({ currentTarget }) => set({ format: currentTarget.value as WebhookValues['format'] })}
          >
            {formats.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={values.isOrdered}
          onChange={({ currentTarget }) => set({ isOrdered: currentTarget.checked })}
        />
        <span>
          Deliver in order{' '}
          <span class="hint block">One at a time. A failed delivery blocks the next ones.</span>
        </span>
      </label>
      {values.format === 'standard' && <BatchFields values={values} onChange={onChange} error={error} />}
    </fieldset>
  )
}

function BatchFields({ values, onChange, error }: WebhookFieldsProps) {
  const set = (change: Partial<WebhookValues>) => onChange({ ...values, ...change })
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={values.hasBatches}
          onChange={({ currentTarget }) => set({ hasBatches: currentTarget.checked })}
        />
        <span>
          Batch events <span class="hint block">Several events in one request.</span>
        </span>
      </label>
      {values.hasBatches && (
        <div class="columns">
          <TextField
            label="Maximum events"
            type="number"
            value={values.batchMax}
            onInput={(batchMax) => set({ batchMax })}
            error={fieldError(error, '/batch/max')}
          />
          <TextField
            label="Send after at most (seconds)"
            type="number"
            value={values.batchWithin}
            onInput={(batchWithin) => set({ batchWithin })}
            error={fieldError(error, '/batch/within')}
          />
        </div>
      )}
    </>
  )
}
