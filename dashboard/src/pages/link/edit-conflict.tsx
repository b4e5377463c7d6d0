/** Merges the user's edits of a link with a change that another user saved first. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

import { formatExact } from '../../app/format.js'
import { changedValues, isDifferent } from '../../app/unsaved-changes.js'
import { Badge } from '../../components/basics.js'
import { fieldLabels } from '../links/link-fields.js'
import type { LinkBody } from '../links/link-fields.js'

type FieldName = keyof LinkBody
type Choice = 'mine' | 'theirs'

interface EditConflictProps {
  /** The fields that the user edited. */
  edits: Partial<LinkBody>
  before: LinkBody
  saved: LinkBody
  isBusy: boolean
  error: ComponentChildren
  /** Receives the edits without the fields for which the user took the other value. */
  onSave: (edits: Partial<LinkBody>) => void
  onDiscard: () => void
}

export function EditConflict({ edits, before, saved, isBusy, error, onSave, onDiscard }: EditConflictProps) {
  const [choices, setChoices] = useState<Partial<Record<FieldName, Choice>>>({})
  const mine = Object.keys(edits) as FieldName[]
  const theirs = Object.keys(changedValues(saved, before)) as FieldName[]
  const both = mine.filter((name) => theirs.includes(name) && isDifferent(edits[name], saved[name]))
  const onlyMine = mine.filter((name) => !theirs.includes(name))
  const taken = theirs.filter((name) => !both.includes(name))
  const form = useRef<HTMLFormElement>(null)
  // The form that had the focus is gone.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, button.primary')?.focus(), [])
  const save = (event: Event) => {
    event.preventDefault()
    const kept = mine.filter((name) =>
      both.includes(name) ? choices[name] === 'mine' : onlyMine.includes(name),
    )
    onSave(Object.fromEntries(kept.map((name) => [name, edits[name]])))
  }
  return (
    <form ref={form} class="stack" onSubmit={save}>
      <div class="callout warn" role="alert">
        <b>Someone else changed this link while you were editing.</b>{' '}
        {both.length > 0
          ? 'Your changes are not saved yet. Choose a value for each field that both of you changed.'
          : 'Your changes are not saved yet. You changed different fields, so both changes are kept.'}
      </div>
      {both.map((name) => (
        <fieldset key={name} class="choice">
          <legend>{fieldLabels[name]}</legend>
          {(['mine', 'theirs'] as const).map((choice) => (
            <label key={choice} class="check option">
              <input
                type="radio"
                name={name}
                required
                checked={choices[name] === choice}
                onChange={() => setChoices({ ...choices, [name]: choice })}
              />
              <span>
                <span class="option-name">{choice === 'mine' ? 'Keep mine' : 'Use theirs'}</span>
                <Value name={name} value={choice === 'mine' ? edits[name] : saved[name]} />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <Fields title="Only you changed" hint="Saved with your changes." names={onlyMine} values={edits} />
      <Fields title="Only they changed" hint="Already saved." names={taken} values={saved} />
      {error}
      <div class="row wrap end">
        <button type="button" disabled={isBusy} onClick={onDiscard}>
          Discard my changes
        </button>
        <button class="primary" disabled={isBusy}>
          Save changes
        </button>
      </div>
    </form>
  )
}

interface FieldsProps {
  title: string
  hint: string
  names: readonly FieldName[]
  values: Partial<LinkBody>
}

function Fields({ title, hint, names, values }: FieldsProps) {
  if (names.length === 0) return null
  return (
    <section aria-label={title} class="stack tight">
      <h3>
        {title} <span class="hint">{hint}</span>
      </h3>
      <dl class="facts">
        {names.map((name) => [
          <dt key={name}>{fieldLabels[name]}</dt>,
          <dd key={`${name} value`}>
            <Value name={name} value={values[name]} />
          </dd>,
        ])}
      </dl>
    </section>
  )
}

function Value({ name, value }: { name: FieldName; value: LinkBody[FieldName] | undefined }) {
  if (value === null || value === undefined || value === '') return <span class="muted">none</span>
  if (Array.isArray(value))
    return value.length === 0 ? (
      <span class="muted">none</span>
    ) : (
      <span class="row wrap">
        {value.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    )
  if (typeof value === 'boolean') return <>{value ? 'on' : 'off'}</>
  return <span class="break lines">{name === 'expires_at' ? formatExact(String(value)) : value}</span>
}
