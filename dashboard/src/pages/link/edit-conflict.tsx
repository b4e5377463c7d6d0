/** Compares the user's edit of a link with a change that somebody else saved first. */
import { fieldLabels } from '../links/link-fields.js'
import type { LinkBody } from '../links/link-fields.js'

export function changedFields(body: LinkBody, before: LinkBody): Partial<LinkBody> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isEqual(value, before[name as keyof LinkBody])),
  )
}

interface EditConflictProps {
  /** The fields that the user changed. Only these are saved. */
  mine: Partial<LinkBody>
  before: LinkBody
  theirs: LinkBody
  isBusy: boolean
  onSave: () => void
  onDiscard: () => void
}

export function EditConflict({ mine, before, theirs, isBusy, onSave, onDiscard }: EditConflictProps) {
  const mineNames = Object.keys(mine) as (keyof LinkBody)[]
  const kept = (Object.keys(changedFields(theirs, before)) as (keyof LinkBody)[]).filter(
    (name) => !(name in mine),
  )
  return (
    <div class="callout warn stack" role="alert">
      <p>
        <b>Somebody else changed this link while you were editing.</b> Your changes are not saved yet.
      </p>
      <dl class="facts">
        {mineNames.map((name) => [
          <dt key={name}>{fieldLabels[name]}</dt>,
          <dd key={`${name} values`}>
            {isEqual(theirs[name], before[name]) ? 'unchanged' : 'now'} “{shown(theirs[name])}”, yours “
            {shown(mine[name])}”
          </dd>,
        ])}
        {kept.map((name) => [
          <dt key={name}>{fieldLabels[name]}</dt>,
          <dd key={`${name} values`}>also changed, kept: “{shown(theirs[name])}”</dd>,
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

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function shown(value: LinkBody[keyof LinkBody] | undefined): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
}
