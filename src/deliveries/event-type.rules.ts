import { eventTypes } from '../events/catalogue.js'
import { IsOneOf, Rule, unknownWords } from '../platform/http/input/fields.js'

const known: readonly unknown[] = eventTypes
const names = eventTypes.join(', ')

export function IsEventType(): PropertyDecorator {
  return IsOneOf('unknown_event', eventTypes)
}

export function IsEventTypeList(): PropertyDecorator {
  return Rule(
    'unknown_event',
    (value) => `${unknownWords(value, eventTypes)}Write a list of one or more of ${names}.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= 100 &&
      value.every((name) => known.includes(name)),
    { minItems: 1, maxItems: 100 },
  )
}
