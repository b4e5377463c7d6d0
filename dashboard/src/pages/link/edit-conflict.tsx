/** Compares the user's edits of a link with a change that somebody else saved first. */
import { fieldLabels } from '../links/link-fields.js'
import type { LinkBody } from '../links/link-fields.js'

export function changedFields(body: LinkBody, before: LinkBody): Partial<LinkBody> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isEqual(value, before[name as keyof LinkBody])),
  )
}

interface EditConflictProps {
  /** The fields that the user edited. Only these are saved. */
  edits: Partial<LinkBody>
  before: LinkBody
  saved: LinkBody
  isBusy: boolean
  onSave: () => void
  onDiscard: () => void
}

export function EditConflict({ edits, before, saved, isBusy, onSave, onDiscard }: EditConflictProps) {
  const editedNames = Object.keys(edits) as (keyof LinkBody)[]
  const otherNames = (Object.keys(changedFields(saved, before)) as (keyof LinkBody)[]).filter(
    (name) => !(name in edits),
  )
  return (
    <div class="callout warn stack" role="alert">
      <p>
        <b>Someone else changed this link while you were editing.</b> Your changes are not saved yet.
      </p>
      <dl class="facts">
        {editedNames.map((name) => [
          <dt key={name}>{fieldLabels[name]}</dt>,
          <dd key={`${name} values`}>
            {isEqual(saved[name], before[name]) ? 'unchanged' : 'now'} “{shownValue(saved[name])}”, your value
            “{shownValue(edits[name])}”
          </dd>,
        ])}
        {otherNames.map((name) => [
          <dt key={name}>{fieldLabels[name]}</dt>,
          <dd key={`${name} values`}>also changed to “{shownValue(saved[name])}”</dd>,
        ])}
      </dl>
      <div class="row wrap">
        <button type="button" disabled={isBusy} onClick={onDiscard}>
          Discard my changes
        </button>
        <button type="button" disabled={isBusy} onClick={onSave}>
          Save my changes
        </button>
      </div>
    </div>
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function shownValue(value: LinkBody[keyof LinkBody] | undefined): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
}
