/** The valid tokens of the workspace: their page shows them, others name them. */
import { service } from './service.js'

const mostTokens = 1_000

export function listTokens(signal: AbortSignal) {
  return service.tokens.list({ limit: 100 }, { signal }).toArray(mostTokens)
}
