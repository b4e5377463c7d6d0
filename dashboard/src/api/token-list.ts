/** The active tokens of the workspace. */
import { service } from './client.js'

const maxTokens = 1_000

export function listTokens(signal: AbortSignal) {
  return service.tokens.list({ limit: 100 }, { signal }).toArray(maxTokens)
}
