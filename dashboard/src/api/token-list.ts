/** The valid tokens of the workspace. One page lists them, and others show their names. */
import { service } from './client.js'

const mostTokens = 1_000

export function listTokens(signal: AbortSignal) {
  return service.tokens.list({ limit: 100 }, { signal }).toArray(mostTokens)
}
