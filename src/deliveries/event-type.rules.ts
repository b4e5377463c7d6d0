import { eventTypes } from '../events/catalogue.js'
import { Rule } from '../platform/http/fields.js'

const known: readonly unknown[] = eventTypes
const names = eventTypes.join(', ')

export function IsEventType(): PropertyDecorator {
  return Rule('unknown_event', `Write one of ${names}.`, (value) => known.includes(value))
}

export function IsEventTypeList(): PropertyDecorator {
  return Rule(
    'unknown_event',
    `Write a list of one or more of ${names}.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= 100 &&
      value.every((name) => known.includes(name)),
    { minItems: 1, maxItems: 100 },
  )
}
