/** Statements of background work, which run during any test. */
import { reportStatement } from '../../src/app/processes/processes.repository.js'
import { clockStatement } from '../../src/platform/database/database-clock.js'
import { oldestTransactionStatement } from '../../src/platform/database/feed-watch.js'

const backgroundStatements = [clockStatement, oldestTransactionStatement, reportStatement]

export function isBackgroundStatement(text: string): boolean {
  return backgroundStatements.includes(text)
}
