/** Statements of background work, which run during any test. */
import { clockStatement } from '../../src/platform/database/database-clock.js'
import { oldestTransactionStatement } from '../../src/platform/database/feed-watch.js'

export function isBackgroundStatement(text: string): boolean {
  return text === clockStatement || text === oldestTransactionStatement
}
