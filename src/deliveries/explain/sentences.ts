/** Parts of the sentences of explanations. */
import type { ExplainedAttempt } from './facts.js'

export function describeResult({ number, statusCode, errorMessage, errorClass }: ExplainedAttempt): string {
  if (errorClass === null) return `Attempt ${number} succeeded with status ${statusCode ?? '2xx'}.`
  return toSentence(`Attempt ${number} failed: ${errorMessage ?? errorClass}`)
}

export function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

export function toIso(time: Date): string {
  return time.toISOString()
}
