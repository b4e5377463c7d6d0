/** Removes the values of custom headers from a response, because some receivers return the request they received. */
import type { Outcome } from '../platform/outbound/outcome.js'
import { headerMask } from './custom-headers.js'
import type { CustomHeaders } from './custom-headers.js'

/** Shorter words are not credentials, and masking them would make responses unreadable. */
const minSecretLength = 8

export function maskEchoes(outcome: Outcome, headers: CustomHeaders): Outcome {
  if (headers.size === 0) return outcome
  const secrets = [...headers.values()].flatMap(findSecrets)
  const mask = (text: string) => secrets.reduce(maskSecret, text)
  const { error, responseHeaders, responseBody } = outcome
  return {
    ...outcome,
    error: error && { ...error, message: mask(error.message) },
    responseHeaders:
      responseHeaders &&
      Object.fromEntries(Object.entries(responseHeaders).map(([name, text]) => [mask(name), mask(text)])),
    responseBody: responseBody && mask(responseBody),
  }
}

/** Returns the words of a value such as `Bearer 8f1c2b7d`, as texts and as escaped in JSON. */
function findSecrets(value: string): string[] {
  const words = value.split(' ').filter((word) => word.length >= minSecretLength)
  if (words.length === 0 && value.length >= minSecretLength) words.push(value)
  return words.flatMap((word) => {
    const escaped = JSON.stringify(word).slice(1, -1)
    return [...new Set([word, escaped, escaped.replaceAll('/', '\\/')])]
  })
}

/** Also masks a secret of which the response has only the beginning, because it was cut. */
function maskSecret(text: string, secret: string): string {
  const beginning = secret.slice(0, minSecretLength)
  let masked = ''
  let end = 0
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, end)) {
    masked += text.slice(end, at) + headerMask
    end = at + minSecretLength
    while (end - at < secret.length && text[end] === secret[end - at]) end += 1
  }
  return masked + text.slice(end)
}
