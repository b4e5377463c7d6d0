/**
 * What follows from a body that is answered again and again, such as the record of a busy token: its text and its ETag
 * are worked out once. Whoever keeps such a body freezes it, which says that both hold for as long as it is answered.
 */
import { entityTag } from './entity-tag.js'

interface Outcome {
  text: string
  tag: string | null
}

const outcomes = new WeakMap<object, Outcome>()

export function outcomeOf(body: object): Outcome {
  let outcome = outcomes.get(body)
  if (!outcome) outcomes.set(body, (outcome = { text: JSON.stringify(body), tag: entityTag(body) }))
  return outcome
}

export function textOf(body: object): string {
  return outcomeOf(body).text
}
